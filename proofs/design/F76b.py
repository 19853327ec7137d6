"""F76: ratios of masses that do not fall from one atom to the next do not fall at all.

Symbols:
k, i: atoms, numbered from left to right
v: any number
o, n, m: the first atom, the last one and another one
P, Q: masses of two priors
"""
from pfverify.proof.language import *

v, (k, i), (o, n, m) = variables("v"), indices("k i", "Atoms"), member("o n m", "Atoms")
P, Q = masses("P Q")
up_to = 0 < P(v) + Q(v) and implies(i < v, P(i) * Q(v) <= P(v) * Q(i))

Claim(
    id="F76b", source=paper("design", "F76"), result=PROVED,
    words="If P/Q does not fall from each of finitely many atoms to the next, each of which has a "
          "mass under P or Q, it does not fall from any of them to a later one; Q = 0 < P counts "
          "as infinite",
    printed=proved(
        given={"atoms": is_chain([i, k], [o, n]), "some": 0 < P(k) + Q(k),
               "next": implies(k != o, P(k - 1) * Q(k) <= P(k) * Q(k - 1)),
               "beside": implies(i == k - 1, P(i) * Q(k) <= P(k) * Q(i))},  # the same
        example=instance(Atoms=[0, 1], o=0, n=1, P={1: 1}, Q={0: 1/2, 1: 1/2}),
        statement=implies(i < k, P(i) * Q(k) <= P(k) * Q(i)),
        steps=[
            step("o", at(up_to, {v: o}), arithmetic(
                use("atoms", {k: i}), use("some", {k: o}))),
            step("up to k", at(up_to, {v: k}), induction("atoms", "o", k, up_to, v, m, [
                step("others", implies(i < m - 1, P(i) * Q(m) <= P(m) * Q(i)), arithmetic(
                    "before", "not first", use("next", {k: m}))),
                step("later", at(up_to, {v: m}), arithmetic(
                    "others", use("beside", {k: m}), use("atoms", {k: m}), use("some", {k: m})))])),
            step("all", implies(i < k, P(i) * Q(k) <= P(k) * Q(i)), arithmetic("up to k")),
        ],
    ),
    breaks=[edit("drop next", "up to k"), edit("drop some", "o"), edit("drop atoms", "o"),
            edit("drop beside", "up to k")],
)
