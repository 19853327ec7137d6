"""F75: with Gaussian noise in any number of coordinates log p/q depends on one number only.

c(i) and c(i) + v(i) are the coordinates of the two points, s(i) the scales. Factors that both
densities have are left out. z is a sum of the outputs with fixed weights; F75a says that it, and
what is left of the outputs, are independent, and what their laws are.

Symbols:
i: a coordinate, numbered
c: the coordinate of the first point
v: how much more that of the second point is
s: the scale of a coordinate
y: the output of a coordinate
mu: the distance of the two points, each coordinate in units of its scale
"""
from pfverify.proof.language import *

mu, i, (c, v, s, y) = positive("mu"), indices("i", "L"), functions("c v s y")
z = total(v(i) * (y(i) - c(i)) / s(i)**2, i) / mu
p = exp(-total((y(i) - c(i))**2 / (2 * s(i)**2), i))
q = exp(-total((y(i) - c(i) - v(i))**2 / (2 * s(i)**2), i))
squares = total((v(i) / s(i))**2, i)

Claim(
    id="F75", source=paper("design", "F75"), result=PROVED,
    words="Of two points with Gaussian noise of several scales in several coordinates p/q is "
          "e^(-mu z + mu^2/2), mu^2 the sum of (v/s)^2, z the sum of v (y - c)/s^2, over mu: that "
          "of N(0, 1) against N(mu, 1) at z",
    open="that H of the outputs is H of z: that a linear map, one to one, of the outputs keeps H, "
         "as it changes all areas by one factor (the laws that it makes: F75a, coordinate by "
         "coordinate; the rest shows nothing: F75b; H of N(0, 1) against N(mu, 1): F75c)",
    printed=proved(
        given={"scales": s(i) > 0, "mu": mu**2 == squares},
        example=instance(mu=5, L=[1, 2], c={1: 0, 2: 1}, v={1: 3, 2: 8}, s={1: 1, 2: 2},
                         y={1: 0, 2: 2}),
        statement=p == q * exp(-mu * z + mu**2 / 2)
        and p * normal_pdf(z - mu) == q * normal_pdf(z),
        steps=[
            step("squares", total((y(i) - c(i) - v(i))**2 / (2 * s(i)**2), i)
                 == total((y(i) - c(i))**2 / (2 * s(i)**2), i) - mu * z + squares / 2, identity()),
            step("ratio", p == q * exp(-mu * z + mu**2 / 2), arithmetic("squares", "mu")),
            step("one", (z - mu)**2 == z**2 - 2 * mu * z + mu**2, identity()),
            step("all", p * normal_pdf(z - mu) == q * normal_pdf(z), arithmetic("ratio", "one")),
        ],
    ),
    breaks=[
        edit("drop mu", "ratio"), edit("z = total(v(i) * (y(i) - c(i)) / s(i)**2, i)", "squares"),
    ],
)
