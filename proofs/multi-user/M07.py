"""Section 3: the probability that only user i is absent and each other one reports his a_k.

The users are o, o + 1, ..., n; c(k) is the probability of what user k does, with P(k) = P_k(a_k),
J(k) that of what the users up to k do, others(k) the product of zeta P over these except i.
"""
from pfverify.proof.language import *

u, (k, l), (o, n, m, i) = variables("u"), indices("k l", "Users"), member("o n m i", "Users")
c, J, others, zeta, P = masses("c J others zeta P")
absent = 1 - zeta(i)
so_far = implies(u < i, J(u) == others(u)) and implies(i <= u, J(u) == absent * others(u))
joint = J(n) == absent * others(n)

Claim(
    id="M07", source=paper("multi-user", "Section 3"), result=PROVED,
    words="If the users are present and report independently, the dataset in which only user i is "
          "absent and user j reports a_j has probability (1 - zeta_i) prod zeta_j P_j(a_j)",
    printed=proved(
        given={
            "users": is_chain([k, l], [o, n]), "each": implies(k == i, c(k) == absent)
            and implies(k != i, c(k) == zeta(k) * P(k)),
            "independent": J(o - 1) == 1 and J(k) == J(k - 1) * c(k),
            "product": others(o - 1) == 1 and implies(k == i, others(k) == others(k - 1))
            and implies(k != i, others(k) == others(k - 1) * (zeta(k) * P(k))),
        },
        example=instance(Users=[1, 2], o=1, n=2, i=2, zeta={1: 1/2, 2: 1/4}, P={1: 1/2, 2: 1},
                         c={1: 1/4, 2: 3/4}, J={0: 1, 1: 1/4, 2: 3/16},
                         others={0: 1, 1: 1/4, 2: 1/4}),
        statement=joint,
        steps=[
            step("first", at(so_far, {u: o}), arithmetic(use("users", {l: i}), use(
                "each", {k: o}), use("independent", {k: o}), use("product", {k: o}))),
            step("up to k", at(so_far, {u: k}), induction("users", "first", k, so_far, u, m, [
                step("next", at(so_far, {u: m}), arithmetic(
                    "before", use("users", {k: m, l: i}), use("each", {k: m}),
                    use("independent", {k: m}), use("product", {k: m}))),
            ])),
            step("all", joint, arithmetic(use("up to k", {k: n}), use("users", {l: i}))),
        ],
    ),
    breaks=[edit("drop independent", "first"), edit("drop users", "first")],
)
