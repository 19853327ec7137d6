"""Figure 2: between the sum with a_4 = 5 and that without user 4 the plan moves everything by 5.

f: the masses of the sum of the other users, any, with the distribution function H; with user 4 the
sum has F(x) = H(x - a_4).
"""
from pfverify.proof.language import *
from settings.table_2 import *

(u, v), a = variables("u v"), constants("a")
(x, z), (c, d), k = indices("x z", "X"), member("c d", "X"), indices("k", "R")
f, pi = masses("f pi")
F, G = total(pi(x, z) * indicator(u - x), x, z), total(pi(x, z) * indicator(v - z), x, z)
J = total(pi(x, z) * indicator(u - x) * indicator(v - z), x, z)
H = total(f(k) * indicator(u - k), k)
figure_2 = pi(x, z) == 0 or x - z == 5

Claim(
    id="M16", source=paper("multi-user", "Figure 2"), result=PROVED,
    words="The plan (6) of the sum with a_4 = 5 and the sum without user 4 moves every mass by 5",
    printed=proved(
        given={"moved": F == at(H, {u: u - a}) and G == at(H, {u: v}),
               "(6)": J == minimum(F, G), "user 4": a == 5,
               "law": total(pi(x, z), x, z) == 1},
        example=instance(a=5, c=8, d=3, R=[3, 4], X=[3, 4, 8, 9], f={3: 1/2, 4: 1/2},
                         pi={(8, 3): 1/2, (9, 4): 1/2}),
        statement=(pi(c, d) == 0 or abs(c - d) == 5) and total(pi(x, z), x, z) > 0,
        steps=[
            step("translation", pi(c, d) == 0 or c - d == a,
                 theorem("F32", {"m": a, "n": 0}, "moved", "(6)")),
            step("5", (pi(c, d) == 0 or abs(c - d) == 5) and total(pi(x, z), x, z) > 0,
                 arithmetic("translation", "user 4", "law")),
        ],
    ),
    tighter=proved(
        words="So it is for Table 2, with the plan written out",
        data=instance(X=whole_numbers(3, 20),
                      pi=plan(printed_row(whole_numbers(8, 20), row_of_sums), others)),
        statement=figure_2, steps=[step("Figure 2", figure_2, finite())],
    ),
    breaks=[
        edit("drop moved", "translation"),
        edit("drop user 4", "5", instance(
            a=4, c=7, d=3, R=[3], X=[3, 7], f={3: 1}, pi={(7, 3): 1})),
        edit("others = {3: 1}", "Figure 2"),
    ],
)
