"""F77: on a lattice what decays from either end of a gap sum to is geometric.

c is the difference of what decays from the left and from the right, over theta: any number.

Symbols:
h: the step of the lattice
c: the rate of what is left of both, maybe negative
v: any number
i, a, k: points
o, n: the first and the last point of the gap
"""
from pfverify.proof.language import *

h, c, v = positive("h"), constants("c"), variables("v")
(i, a, k), (o, n) = indices("i a k", "X"), member("o n", "X")  # o, o + h, ..., n
up_to = total(exp(-c * i), i)
formula = up_to * (1 - exp(-c * h)) == exp(-c * o) - exp(-c * (n + h))

Claim(
    id="F77b", source=paper("design", "F77"), result=PROVED,
    words="e^(-c y) sums to (e^(-c o) - e^(-c (n + h)))/(1 - e^(-c h)) over the lattice points "
          "from o to n, for every c other than 0",
    printed=proved(
        given={"points": is_chain([a, k], [o, n], h)},
        example=instance(h=1, c=1, X=[0, 1, 2], o=0, n=2),
        statement=formula,
        steps=[
            step("steps", total(-exp(-c * (i - h + h)) + exp(-c * (i - h)), i)
                 == exp(-c * (o - h)) - exp(-c * n), theorem("F10a", {
                     "f": maps(v, -exp(-c * v))}, "points")),
            step("sum", up_to * (exp(c * h) - 1) == exp(-c * (o - h)) - exp(-c * n),
                 arithmetic("steps")),
            step("all", formula, arithmetic("sum")),
        ],
    ),
    breaks=[edit("drop points", "steps")],
)
