"""F83: of numbers with Gumbel noise each is the greatest in proportion to its weight.

P(x + N <= y) = e^(-w e^(-y/theta)), so that U = e^(-(x + N)/theta) is above u with chance e^(-w u):
the greatest number has the least U.

Symbols:
w: the weight e^(x/theta) of one number x
r: the sum of the weights of some others
v: the weight of a further one
u: e^(-y/theta) of an output y
"""
from pfverify.proof.language import *

w, r, v, u = positive("w"), positive("r"), positive("v"), variables("u")
density = w * exp(-w * u)
others = exp(-r * u)
greatest = integral(density * others, u, 0, oo)
second = w / (w + r) - w / (w + r + v)

Claim(
    id="F83", source=paper("design", "F83"), result=PROVED,
    words="A number of weight w with Gumbel noise is above others of weights that sum to r with "
          "chance w/(w + r); and above these, and below a further one of weight v, with chance "
          "v/(w + r + v) times w/(w + r)",
    printed=proved(
        given={},
        example=instance(w=1, r=3, v=2),
        statement=greatest == w / (w + r) and second == v / (w + r + v) * (w / (w + r)),
        steps=[
            step("greatest", greatest == w / (w + r), antiderivative(
                -w / (w + r) * exp(-(w + r) * u))),
            step("second", second == v / (w + r + v) * (w / (w + r)), arithmetic()),
            step("all", greatest == w / (w + r) and second == v / (w + r + v) * (w / (w + r)),
                 arithmetic("greatest", "second")),
        ],
    ),
    breaks=[edit("others = exp(-2 * r * u)", "greatest")],
)
