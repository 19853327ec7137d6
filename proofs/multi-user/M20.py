"""Figure 3: between the sum with user 4 of law P_4 and that without, the plan's longest move is 5.

f: of the sum of the others, any, with the last letter `last`; P: of user 4; t = 5 for P_4.
"""
from pfverify.proof.language import *

t, (u, v), (x, z, c, d) = positive("t"), variables("u v"), indices("x z c d", "X")
(n, last), (f, P, pi) = member("n last", "X"), masses("f P pi")
rho = f(z) * P(x - z)  # a plan too: the others and user 4 are independent
F, G = total(pi(x, z) * indicator(u - x), x, z), total(pi(x, z) * indicator(v - z), x, z)
plan_6 = total(pi(x, z) * indicator(u - x) * indicator(v - z), x, z) == minimum(F, G)
near, attained = pi(c, d) == 0 or abs(c - d) <= t, total(pi(n, z), z) > 0
from_n = pi(n, d) == 0 or abs(n - d) == t

Claim(
    id="M20", source=paper("multi-user", "Figure 3"), result=PROVED,
    words="The plan (6) of the sums with and without user 4 moves no mass farther than the largest "
          "report of his law, and the largest sum's mass that far",
    printed=proved(
        given={"first prior": total(rho, z) == total(pi(x, z), z), "law": P(u) == 0 or abs(u) <= t,
               "second prior": total(rho, x) == total(pi(x, z), x), "last": f(z) == 0 or z <= last,
               "both may be": f(last) > 0 and P(n - last) > 0 and n - last == t,
               "(6)": at(plan_6, {u: c, v: c + t}) and at(plan_6, {u: d + t, v: d})},
        example=instance(t=1, last=0, n=1, X=[0, 1], f={0: 1}, P={0: 1/2, 1: 1/2},
                         pi={(0, 0): 1/2, (1, 0): 1/2}),
        statement=near and attained and from_n,
        steps=[
            step("near", rho == 0 or abs(x - z) <= t, arithmetic(use("law", {u: x - z}))),
            step("no farther", near, theorem("M05", {"a": c, "b": d, "rho": maps(x, z, rho)},
                 "first prior", "second prior", "near", "(6)", part="reading 2")),
            step("masses", 0 <= at(rho, {x: n}), arithmetic()),
            step("row", f(last) * P(n - last) <= total(at(rho, {x: n}), z),
                 one_term("masses", {z: last})),
            step("some", attained, arithmetic("row", "both may be", use("first prior", {x: n}))),
            step("plan", 0 <= pi(x, d), arithmetic()),
            step("column", pi(n, d) <= total(pi(x, d), x), one_term("plan", {x: n})),
            step("that far", from_n, arithmetic("column", "both may be", use("last", {z: d}),
                 use("second prior", {z: d}), use("no farther", {c: n}))),
        ],
    ),
    breaks=[
        edit("drop law", "near", instance(
            t=1, last=0, n=1, X=[0, 1, 2], f={0: 1}, P={1: 1/2, 2: 1/2},
            pi={(1, 0): 1/2, (2, 0): 1/2})),
        edit("drop last", "that far"),
    ],
)
