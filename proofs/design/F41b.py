"""F41: two Gaussian releases are one, and a difference in which X is not.

(m, u) is a linear function of the outputs y1 and y2, one to one; `scale` is what it makes of an
area. More releases are two and two.

Symbols:
x: a value of X
a, b: one over the standard deviations of the two releases
c: one over that of the one release
m: the mean of the outputs with the weights a^2 and b^2
u: the difference of the outputs over c^2
"""
from pfverify.proof.language import *

(a, b, c), (x, m, u) = positive("a b c"), variables("x m u")
y1, y2, scale = m + b**2 * u, m - a**2 * u, c**2
both = normal_pdf(y1, x, 1 / a) * normal_pdf(y2, x, 1 / b) * scale
apart = normal_pdf(m, x, 1 / c) * normal_pdf(u, 0, 1 / (a * b * c))
ways = c**2 * m == a**2 * y1 + b**2 * y2 and c**2 * u == y1 - y2

Claim(
    id="F41b", source=paper("design", "F41"), result=PROVED,
    words="Of two releases of one X with normal noise the mean, weighted by one over the "
          "variances, is a release whose 1/variance is the sum of theirs, and the difference is "
          "independent of it and of X: both are that release, and what can be drawn afterwards",
    printed=proved(
        given={"c": c**2 == a**2 + b**2}, example=instance(a=3, b=4, c=5),
        statement=both == apart and ways,
        steps=[
            step("squares", (a * (y1 - x))**2 + (b * (y2 - x))**2
                 == (c * (m - x))**2 + (a * b * c * u)**2, arithmetic("c")),
            step("densities", both == apart, arithmetic("squares")),
            step("ways", ways, arithmetic("c")),
        ],
    ),
    breaks=[edit("scale = 1", "densities"), edit("drop c", "squares")],
)
