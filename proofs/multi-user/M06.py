"""(6): the plan with distribution function min(F, G) is its mixed difference, and is cheapest."""
from pfverify.proof.language import *

u, v = variables("u v")
x, z, a, b, k = indices("x z a b k", "X")
pi, rho, gap = masses("pi rho gap")  # gap(k): from the letter k to the next one
low, left, more = indicator(u - a), indicator(v - b), rho(a, b) - pi(a, b)
F, G = total(pi(a, b) * low, a, b), total(pi(a, b) * left, a, b)
J, J_rho = total(pi(a, b) * low * left, a, b), total(rho(a, b) * low * left, a, b)
J_6 = minimum(F, G)
four = (at(J_6, {u: x, v: z}) - at(J_6, {u: x - 1, v: z})
        - at(J_6, {u: x, v: z - 1}) + at(J_6, {u: x - 1, v: z - 1}))
row, column = indicator(x - a) - indicator(x - 1 - a), indicator(z - b) - indicator(z - 1 - b)
between = at(low + left - 2 * low * left, {u: k, v: k})  # 1 if one of a, b is <= k, else 0
claimed = pi(x, z) == four and 0 <= total(more * abs(a - b), a, b)

Claim(
    id="M06", source=paper("multi-user", "(6)"), result=PROVED,
    words="The plan whose distribution function is min(F, G) has the mixed difference of min(F, G) "
          "as its masses, and no plan with the same priors has a smaller mean distance",
    open="that such a plan exists: the sums of the masses (6)",
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
            step("F", total(more * low, a, b) == 0, integrate("first prior", a, weight=low)),
            step("G", total(more * left, a, b) == 0, integrate("second prior", b, weight=left)),
            step("in F", rho(a, b) * low * left <= rho(a, b) * low, arithmetic()),
            step("J <= F", J_rho <= total(rho(a, b) * low, a, b), integrate("in F", a, b)),
            step("in G", rho(a, b) * low * left <= rho(a, b) * left, arithmetic()),
            step("J <= G", J_rho <= total(rho(a, b) * left, a, b), integrate("in G", a, b)),
            step("over k", 0 <= total(more * between, a, b), arithmetic(
                use("F", {u: k}), use("G", {v: k}), use("J <= F", {u: k, v: k}),
                use("J <= G", {u: k, v: k}), use("(6)", {x: k, z: k}))),
            step("cost", 0 <= total(gap(k) * total(more * between, a, b), k),
                 integrate("over k", k, weight=gap(k))),
            step("distance", total(more * abs(a - b), a, b) == total(
                gap(k) * total(more * between, a, b), k), integrate("gaps", a, b, weight=more)),
            step("both", claimed, arithmetic("(6)", "its mass", "mass", "cost", "distance")),
        ],
    ),
)
