"""(6): the plan with distribution function min(F, G) is its mixed difference, and is cheapest."""
from pfverify.proof.language import *

u, v = variables("u v")
x, z, a, b, k = indices("x z a b k", "X")
pi, rho, gap, P, Q = masses("pi rho gap P Q")  # gap(k): from the letter k to the next one
low, left, more = indicator(u - a), indicator(v - b), rho(a, b) - pi(a, b)
F, G = total(pi(a, b) * low, a, b), total(pi(a, b) * left, a, b)
J = total(pi(a, b) * low * left, a, b)
J_6 = minimum(F, G)
four = (at(J_6, {u: x, v: z}) - at(J_6, {u: x - 1, v: z})
        - at(J_6, {u: x, v: z - 1}) + at(J_6, {u: x - 1, v: z - 1}))
row, column = indicator(x - a) - indicator(x - 1 - a), indicator(z - b) - indicator(z - 1 - b)
between = at(low + left - 2 * low * left, {u: k, v: k})  # 1 if one of a, b is <= k, else 0
F_P, G_Q, (o, n) = total(P(a) * low, a), total(Q(a) * indicator(v - a), a), member("o n", "X")
entry = at(minimum(F_P, G_Q), {u: x, v: z}) - at(minimum(F_P, G_Q), {u: x - 1, v: z}) - at(
    minimum(F_P, G_Q), {u: x, v: z - 1}) + at(minimum(F_P, G_Q), {u: x - 1, v: z - 1})
claimed = pi(x, z) == four and 0 <= total(more * abs(a - b), a, b)

Claim(
    id="M06", source=paper("multi-user", "(6)"), result=PROVED,
    words="The plan whose distribution function is min(F, G) has the mixed difference of min(F, G) "
          "as its masses, and no plan with the same priors has a smaller mean distance",
    printed=proved(
        given={
            "first prior": total(more, b) == 0, "second prior": total(more, a) == 0,
            "whole": implies(a != x, abs(a - x) >= 1),
            "gaps": abs(a - b) == total(gap(k) * between, k),
            "(6)": at(J == J_6, {u: x, v: z}) and at(J == J_6, {u: x - 1, v: z})
            and at(J == J_6, {u: x, v: z - 1}) and at(J == J_6, {u: x - 1, v: z - 1}),
        },
        example=instance(X=[0, 1, 3], gap={0: 1, 1: 2}, pi={(0, 1): 1/2, (1, 3): 1/2},
                         rho={(0, 3): 1/2, (1, 1): 1/2}),
        statement=claimed,
        steps=[
            step("row", implies(a != x, row == 0), arithmetic("whole")),
            step("row x", total(pi(a, b) * row, a) == pi(x, b), single("row", a, weight=pi(a, b))),
            step("its mass", total(total(pi(a, b) * row, a) * column, b)
                 == total(pi(x, b) * column, b), integrate("row x", b, weight=column)),
            step("mass", total(pi(x, b) * column, b) == pi(x, z),
                 single(use("row", {a: b, x: z}), b, weight=pi(x, b))),
            step("diagonal", at(J == J_6, {u: k, v: k}), arithmetic(use("(6)", {x: k, z: k}))),
            step("cheapest", 0 <= total(more * abs(a - b), a, b), theorem(
                "F10d", {}, "first prior", "second prior", "gaps", "diagonal")),
            step("both", claimed, arithmetic("(6)", "its mass", "mass", "cheapest")),
        ],
    ),
    tighter=proved(
        words="Such a plan exists: on the letters o, ..., n the masses (6) are at least 0 and have "
              "the sums P and Q",
        given={"letters": is_chain([a, k], [o, n]), "laws": total(P(a), a) == 1 and total(
            Q(a), a) == 1},
        example=instance(X=[0, 1, 2], o=0, n=2, P={0: 3/4, 1: 1/4}, Q={0: 1/4, 2: 3/4}),
        statement=entry >= 0 and total(entry, z) == P(x) and total(entry, x) == Q(z),
        steps=[step("all", entry >= 0 and total(entry, z) == P(x) and total(entry, x) == Q(z),
                    theorem("F10c", {"h": 1}, "letters", "laws"))],
    ),
)
