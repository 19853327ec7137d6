"""(6): the plan with distribution function min(F, G) is its mixed difference, and is cheapest.

Symbols:
k: a letter, in the sum that writes a distance
a: a letter
o: the first letter
last: the last letter
rho: another plan of the same priors
gap: the distance from a letter to the next one
P: the first prior
Q: the second prior
"""
from pfverify.proof.language import *
from settings.longest_step import *

(k, a), (o, last) = indices("k a", "X"), member("o last", "X")
rho, gap, P, Q = masses("rho gap P Q")  # gap(k): from the letter k to the next one
more, corner = rho(x, z) - pi(x, z), J == minimum(F, G)
between = at(low + left - 2 * low * left, {u: k, v: k})  # 1 if one of x, z is <= k, else 0
F_P, G_Q = total(P(a) * indicator(u - a), a), total(Q(a) * indicator(v - a), a)
entry = difference(difference(minimum(F_P, G_Q), u, x), v, z)
is_plan = entry >= 0 and total(entry, z) == P(x) and total(entry, x) == Q(z)

Claim(
    id="M06", source=paper("multi-user", "(6)"), result=PROVED,
    words="On finitely many letters at least 1 apart the plan with distribution function min(F, G) "
          "has its mixed difference as masses, and no plan of these priors a smaller mean distance",
    printed=proved(
        given={"first": total(more, z) == 0, "second": total(more, x) == 0,
               "whole": implies(k != x, abs(k - x) >= 1),
               "gaps": abs(x - z) == total(gap(k) * between, k),
               "(6)": plan_6 and at(corner, {u: x - 1, v: z}) and at(corner, {u: x, v: z - 1})
               and at(corner, {u: x - 1, v: z - 1})},
        example=instance(X=[0, 1, 3], gap={0: 1, 1: 2}, pi={(0, 1): 1/2, (1, 3): 1/2},
                         rho={(0, 3): 1/2, (1, 1): 1/2}),
        statement=pi(x, z) == four and 0 <= total(more * abs(x - z), x, z),
        steps=[
            step("mass", difference(difference(J, u, x), v, z) == pi(x, z),
                 theorem("F13c", {"h": 1}, "whole")),
            step("four", pi(x, z) == four, arithmetic("(6)", "mass")),
            step("cheapest", 0 <= total(more * abs(x - z), x, z), theorem(
                "F10d", {"a": x, "b": z}, "first", "second", "gaps", use("(6)", {x: k, z: k}))),
        ],
    ),
    tighter=proved(
        words="Such a plan exists: on the letters o, ..., last the masses (6) are at least 0 and "
              "have the sums P and Q", statement=is_plan,
        given={"letters": is_chain([a, k], [o, last]), "laws": total(P(a), a) == total(Q(a), a)},
        example=instance(X=[0, 1, 2], o=0, last=2, P={0: 3/4, 1: 1/4}, Q={0: 1/4, 2: 3/4}),
        steps=[step("all", is_plan, theorem("F10c", {"h": 1, "n": last}, "letters", "laws"))],
    ),
    breaks=[
        edit("drop whole", "mass"),
        edit("drop (6)", "four", instance(
            X=[0, 1], gap={0: 1}, pi={(0, 1): 1/2, (1, 0): 1/2}, rho={(0, 1): 1/2, (1, 0): 1/2})),
        edit("drop laws", "all", instance(X=[0], o=0, last=0, P={0: 1}, Q={})),
    ],
)
