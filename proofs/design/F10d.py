"""F10: on the line the plan with distribution function min(F, G) has the least mean distance."""
from pfverify.proof.language import *

u, v = variables("u v")
a, b, k = indices("a b k", "X")
pi, rho, gap = masses("pi rho gap")  # gap(k): from the letter k to the next one
low, left, more = indicator(u - a), indicator(v - b), rho(a, b) - pi(a, b)
F, G = total(pi(a, b) * low, a, b), total(pi(a, b) * left, a, b)
J, J_rho = total(pi(a, b) * low * left, a, b), total(rho(a, b) * low * left, a, b)
between = at(low + left - 2 * low * left, {u: k, v: k})  # 1 if one of a, b is <= k, else 0

Claim(
    id="F10d", source=paper("design", "F10"), result=PROVED,
    words="If pi and rho have the same rows and columns and pi the distribution function min(F, G) "
          "at every (k, k), the mean distance of rho is at least that of pi",
    printed=proved(
        given={"first prior": total(more, b) == 0, "second prior": total(more, a) == 0,
               "gaps": abs(a - b) == total(gap(k) * between, k),
               "plan": at(J == minimum(F, G), {u: k, v: k})},
        example=instance(X=[0, 1, 3], gap={0: 1, 1: 2}, pi={(0, 1): 1/2, (1, 3): 1/2},
                         rho={(0, 3): 1/2, (1, 1): 1/2}),
        statement=0 <= total(more * abs(a - b), a, b),
        steps=[
            step("corner", J_rho <= minimum(F, G), theorem(
                "F29", {"x": a, "z": b}, "first prior", "second prior")),
            step("F", total(more * low, a, b) == 0, integrate("first prior", a, weight=low)),
            step("G", total(more * left, a, b) == 0, integrate("second prior", b, weight=left)),
            step("over k", 0 <= total(more * between, a, b), arithmetic(
                use("F", {u: k}), use("G", {v: k}), use("corner", {u: k, v: k}), "plan")),
            step("cost", 0 <= total(gap(k) * total(more * between, a, b), k),
                 integrate("over k", k, weight=gap(k))),
            step("distance", total(more * abs(a - b), a, b) == total(
                gap(k) * total(more * between, a, b), k), integrate("gaps", a, b, weight=more)),
            step("all", 0 <= total(more * abs(a - b), a, b), arithmetic("cost", "distance")),
        ],
    ),
    breaks=[
        edit("drop first prior", "corner"),
        edit("drop plan", "over k", instance(
            X=[0, 1], gap={0: 1}, pi={(0, 1): 1/2, (1, 0): 1/2}, rho={(0, 0): 1/2, (1, 1): 1/2})),
    ],
)
