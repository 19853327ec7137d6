"""F93: R of two points with Laplace noise, and with noise on a lattice, is in closed form.

The scale is 1, the points are 0 and d: p = e^-|y|/2, q = e^-|y-d|/2. On a lattice a sum over the
points of each piece takes the place of the integral over it; t = e^-step.

Symbols:
a: the order
d: how far apart the points are
y: an output
"""
from pfverify.proof.language import *

a, d, y = constants("a"), positive("d"), variables("y")
before = exp(a * y) * exp((1 - a) * (y - d)) / 2
between = exp(-a * y) * exp((1 - a) * (y - d)) / 2
behind = exp(-a * y) * exp((1 - a) * (d - y)) / 2
R = integral(before, y, -oo, 0) + integral(between, y, 0, d) + integral(behind, y, d, oo)
closed = (a * exp((a - 1) * d) + (a - 1) * exp(-a * d)) / (2 * a - 1)
rise, fall = exp((a - 1) * d), exp(-a * d)

Claim(
    id="F93", source=paper("design", "F93"), result=PROVED,
    words="Of two points d scales apart R is a/(2a-1) e^((a-1)d) + (a-1)/(2a-1) e^(-a d)",
    printed=proved(
        given={"order": a > 1},
        example=instance(a=2, d=1),
        statement=R == closed,
        steps=[
            step("before", integral(before, y, -oo, 0) == rise / 2,
                 antiderivative(rise * exp(y) / 2)),
            step("between", integral(between, y, 0, d) == (rise - fall) / (2 * (2 * a - 1)),
                 antiderivative(-rise * exp(-(2 * a - 1) * y) / (2 * (2 * a - 1)), ("order",))),
            step("behind", integral(behind, y, d, oo) == fall / 2,
                 antiderivative(-exp((1 - a) * d) * exp(-y) / 2)),
            step("all", R == closed, arithmetic("before", "between", "behind", "order")),
        ],
    ),
    breaks=[edit("between = exp(-a * y) / 2", "between")],
)
