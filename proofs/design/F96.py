"""F96: R of two normal laws is in closed form, and infinite where (1-a) v + a w <= 0.

p and q without what is in front of them, which is (2 pi v)^(-1/2) and (2 pi w)^(-1/2): the powers
of that, and sqrt(2 pi), are left out on both sides. Where (1-a) v + a w <= 0 the exponent does not
fall in both tails, unless the laws are equal (where it is v > 0).

Symbols:
a: the order
m, n: the means
v, w: the variances
sd: with the square v w/((1-a) v + a w)
y: an output
"""
from pfverify.proof.language import *

(a, m, n), (v, w, sd), y = constants("a m n"), positive("v w sd"), variables("y")
u = (1 - a) * v + a * w
exponent = -a * (y - m)**2 / (2 * v) - (1 - a) * (y - n)**2 / (2 * w)
middle = (a * w * m + (1 - a) * v * n) / u
square = exponent == a * (a - 1) * (m - n)**2 / (2 * u) - (y - middle)**2 / (2 * sd**2)
K = exp(a * (a - 1) * (m - n)**2 / (2 * u))
bell = normal_pdf(y, middle, sd)
whole = integral(K * bell, y, -oo, oo)

Claim(
    id="F96", source=paper("design", "F96"), result=PROVED,
    words="With u = (1-a) v + a w > 0, p^a q^(1-a) is e^(a(a-1)(m-n)^2/(2u)) times a normal "
          "density of variance v w/u, up to what stands in front",
    printed=proved(
        given={"order": a > 1, "finite": u > 0, "sd": sd**2 == v * w / u},
        example=instance(a=2, m=0, n=1, v=1, w=1, sd=1),
        statement=square and whole == K,
        steps=[
            step("square", square, arithmetic("finite", "sd")),
            step("whole", whole == K,
                 antiderivative(K * normal_cdf(y, middle, sd), ("finite",))),
            step("all", square and whole == K, arithmetic("square", "whole")),
        ],
    ),
    breaks=[edit("drop sd", "square")],
)
