"""F73: larger masses, larger losses and losses that become infinite never lower h.

What a loss has may stay in part, b(j), at a loss m(j) >= l(j), and go to an infinite loss in part,
d(j). So what is below a window may come to its lowest place, what is above it to infinity, and
masses may be rounded up; losses that come to one place have one mass there, the sum of theirs.

Symbols:
E: e^epsilon, or any other factor
j: a loss
l, m: where it is, and where it comes to
a: its mass
b: what is at least left of it
d: what at least becomes infinite
a_inf, b_inf: masses at an infinite loss
"""
from pfverify.proof.language import *

(E, a_inf, b_inf), j, (a, b, d) = constants("E a_inf b_inf"), indices("j", "J"), masses("a b d")
l, m = functions("l m")
at_l, at_m = maximum(1 - E * exp(-l(j)), 0), maximum(1 - E * exp(-m(j)), 0)
h, rounded = a_inf + total(a(j) * at_l, j), b_inf + total(b(j) * at_m, j)

Claim(
    id="F73a", source=paper("design", "F73"), result=PROVED,
    words="If masses become larger, and move to larger losses or in part to an infinite one, the "
          "sum of masses times (1 - E e^(-loss))_+, and the mass at the infinite loss, is no less "
          "than before at any E >= 0",
    printed=proved(
        given={"E": 0 <= E, "later": l(j) <= m(j), "kept": a(j) <= b(j) + d(j),
               "infinite": a_inf + total(d(j), j) <= b_inf},
        example=instance(E=1, a_inf=0, b_inf=1/4, J=[0, 1], l={0: 0, 1: 5}, m={0: 1, 1: 5},
                         a={0: 3/4, 1: 1/4}, b={0: 1}, d={1: 1/4}),
        statement=h <= rounded,
        steps=[
            step("part", at_l <= at_m and at_l <= 1 and 0 <= at_l, arithmetic("E", "later")),
            step("each", a(j) * at_l <= b(j) * at_m + d(j), arithmetic("part", "kept")),
            step("sum", total(a(j) * at_l, j) <= total(b(j) * at_m + d(j), j), integrate(
                "each", j)),
            step("all", h <= rounded, arithmetic("sum", "infinite")),
        ],
    ),
    breaks=[
        edit("drop E", "part"), edit("drop later", "part"), edit("drop kept", "each"),
        edit("drop infinite", "all"),
    ],
)
