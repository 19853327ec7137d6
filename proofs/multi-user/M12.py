"""Figure 1: between the sums with a_4 = 5 and with b_4 = 3 the plan moves everything by 2."""
from pfverify.proof.language import *
from settings.table_2 import *

(u, v), (a, b) = variables("u v"), constants("a b")
(x, z), (c, d), k = indices("x z", "X"), member("c d", "X"), indices("k", "R")
f, pi = masses("f pi")  # f: of the sum of the other users
F, G = total(pi(x, z) * indicator(u - x), x, z), total(pi(x, z) * indicator(v - z), x, z)
J = total(pi(x, z) * indicator(u - x) * indicator(v - z), x, z)
H = total(f(k) * indicator(u - k), k)
D, (g, h, l) = masses("D"), indices("g h l", "reports")  # of users 1 to 3
in_sum = D(1, g) * D(2, h) * D(3, l) * indicator(-abs(g + h + l - k))
sum_of_3, by_2 = f(k) == total(in_sum, g, h, l), pi(x, z) == 0 or x - z == 2

Claim(
    id="M12", source=paper("multi-user", "Figure 1"), result=PROVED,
    words="The plan (6) of the sums with a_4 = 5 and with b_4 = 3 moves every mass by 2",
    printed=proved(
        given={"moved": F == at(H, {u: u - a}) and G == at(H, {u: v - b}),
               "(6)": J == minimum(F, G), "user 4": a == 5 and b == 3,
               "law": total(pi(x, z), x, z) == 1},
        example=instance(a=5, b=3, c=8, d=6, R=[3, 4], X=[6, 7, 8, 9], f={3: 1/2, 4: 1/2},
                         pi={(8, 6): 1/2, (9, 7): 1/2}),
        statement=(pi(c, d) == 0 or abs(c - d) == 2) and total(pi(x, z), x, z) > 0,
        steps=[
            step("translation", pi(c, d) == 0 or c - d == a - b,
                 theorem("F32", {"m": a, "n": b}, "moved", "(6)")),
            step("2", (pi(c, d) == 0 or abs(c - d) == 2) and total(pi(x, z), x, z) > 0,
                 arithmetic("translation", "user 4", "law")),
        ],
    ),
    tighter=proved(
        words="So it is for Table 2, with the sum's masses and the plan written out",
        data=instance(reports=reports, R=sums, X=whole_numbers(6, 20), D=table_2, f=others,
                      pi=plan(printed_row(whole_numbers(8, 20), row_of_sums),
                              printed_row(whole_numbers(6, 18), row_of_sums))),
        statement=sum_of_3 and by_2,
        steps=[step("sum", sum_of_3, finite()), step("Figure 1", by_2, finite())],
    ),
    breaks=[
        edit("drop moved", "translation"),
        edit("drop user 4", "2", instance(
            a=5, b=4, c=8, d=7, R=[3], X=[7, 8], f={3: 1}, pi={(8, 7): 1})),
        edit("others = {3: 1}", "sum"),
    ],
)
