"""F111: a product of powers of Laplace densities is straight between its points: what it sums to.

The scale is 1. The product of the densities of points x_j to the powers w_j, which sum to a, and of
the point 0 to the power 1-a, is 1/2 e^E with E = (a-1) |y| - sum of w_j |y - x_j|: before all
points E has the slope 1, behind them -1, and at a point it falls by twice its power. A piece is the
difference of g e^E at its ends, g = -1/slope, and so of two places v < w with the slopes 1, s, -1

    2 R = e^E(v) (g(s) - g(1)) + e^E(w) (g(-1) - g(s))

More places add more pieces. On a lattice with the step d each point is the difference of g e^E at
it and at the next one, g = 1/(1 - e^(slope d)): the sums of a piece telescope, as do those of the
tails, which end where e^E does.

Symbols:
s: the slope of a piece, not 0
v, w: its ends
A, B: E there
d: the step of a lattice
y: an output
"""
from pfverify.proof.language import *

(s, v, w, A, B), d, y = constants("s v w A B"), positive("d"), variables("y")
piece = exp(A + s * (y - v))
before, behind = exp(A + (y - v)), exp(B - (y - w))
parts = (integral(before, y, -oo, v) + integral(piece, y, v, w) + integral(behind, y, w, oo))
g, first, last = -1 / s, -1, 1
cuts = exp(A) * (g - first) + exp(B) * (last - g)
point = exp(A) == (exp(A) - exp(A + s * d)) / (1 - exp(s * d))

Claim(
    id="F111", source=paper("design", "F111"), result=PROVED,
    words="Two tails and a piece between them are the sum over both ends of e^E times what g turns "
          "by there; and on a lattice a point is the difference of two such terms",
    printed=proved(
        given={"ends": v < w, "slope": s > 0 or s < 0, "straight": B == A + s * (w - v)},
        example=instance(s=3, v=0, w=1, A=-2, B=1, d=1),
        statement=parts == cuts and point,
        steps=[
            step("before", integral(before, y, -oo, v) == exp(A), antiderivative(before)),
            step("piece", integral(piece, y, v, w) == (exp(A + s * (w - v)) - exp(A)) / s,
                 antiderivative(piece / s, ("slope",))),
            step("behind", integral(behind, y, w, oo) == exp(B), antiderivative(-behind)),
            step("parts", parts == cuts,
                 arithmetic("before", "piece", "behind", "straight", "slope")),
            step("moves", s * d > 0 or s * d < 0, arithmetic("slope")),
            step("point", point, arithmetic("moves")),
            step("all", parts == cuts and point, arithmetic("parts", "point")),
        ],
    ),
    breaks=[edit("drop straight", "parts")],
)
