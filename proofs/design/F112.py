"""F112: a product of powers of normal densities of one variance is one of them, times a number.

The powers of the points m, n (more likewise) sum to a, and the point 0 has the power 1-a; the
constants of the densities to these powers are that of one. With independent coordinates, each has
its own factor (F97).

Symbols:
a: the order
u: the power of m; that of n is a - u
m, n: points, by how far they are from that of Q
sd: the standard deviation
y: an output
"""
from pfverify.proof.language import *

(a, u, m, n), sd, y = constants("a u m n"), positive("sd"), variables("y")
V, middle = sd**2, u * m + (a - u) * n
exponent = -(u * (y - m)**2 + (a - u) * (y - n)**2 + (1 - a) * y**2) / (2 * V)
over = (middle**2 - u * m**2 - (a - u) * n**2) / (2 * V)
square = exponent == over - (y - middle)**2 / (2 * V)
bell = normal_pdf(y, middle, sd)
whole = integral(exp(over) * bell, y, -oo, oo)

Claim(
    id="F112", source=paper("design", "F112"), result=PROVED,
    words="The product of normal densities to powers that sum to 1 is that of one normal density "
          "and e^(((sum of w x)^2 - sum of w x^2)/(2V))",
    printed=proved(
        given={},
        example=instance(a=2, u=1, m=1, n=3, sd=1),
        statement=square and whole == exp(over),
        steps=[
            step("square", square, arithmetic()),
            step("whole", whole == exp(over),
                 antiderivative(exp(over) * normal_cdf(y, middle, sd))),
            step("all", square and whole == exp(over), arithmetic("square", "whole")),
        ],
    ),
    breaks=[edit("middle = u * m", "square")],
)
