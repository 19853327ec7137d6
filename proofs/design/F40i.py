"""F40: two Laplace releases as a mixture of one, where X is before both outputs (mirrored: behind).

Symbols:
a, b: the outputs, a the smaller
u, w: one over the scales of the releases that have them
x: a value of X
z: an output of the one release
"""
from pfverify.proof.language import *

(u, w), (a, b, x), z = positive("u w"), constants("a b x"), variables("z")
kappa, phi = u + w, exp(-u * (z - a) - w * (b - z))
far, right = exp(-kappa * abs(x - z)), phi * exp(-kappa * (z - x))
at_a, at_b = u / kappa * at(phi * far, {z: a}), w / kappa * at(phi * far, {z: b})
line, of_right = integral(phi * far, z, a, b), integral(right, z, a, b)
mixture = exp(-u * abs(x - a) - w * abs(x - b)) == at_a + at_b + 2 * u * w / kappa * line

Claim(
    id="F40i", source=paper("design", "F40"), result=PROVED,
    words="The mixture of F40h, with the same weights at a, at b and between them, gives "
          "e^(-u|x-a| - w|x-b|) for x before a too",
    printed=proved(
        given={"x": x <= a, "order": a <= b}, example=instance(u=1, w=2, a=0, b=2, x=-1),
        statement=mixture,
        steps=[
            step("behind x", implies(a <= z and z <= b, phi * far == right), arithmetic("x")),
            step("line", line == of_right, integrate(
                "behind x", z, using=["order"], between=(a, b))),
            step("from a", of_right == (at(right, {z: a}) - at(right, {z: b})) / (2 * u),
                 antiderivative(-right / (2 * u))),
            step("all", mixture, arithmetic("line", "from a", "x", "order")),
        ],
    ),
    breaks=[edit("drop order", "line"), edit("kappa = 2 * u + w", "from a")],
)
