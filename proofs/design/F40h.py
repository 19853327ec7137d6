"""F40: what two Laplace releases show is a mixture of what one shows, on the line, at any X.

The weights do not depend on x: the mixture is right for any law of X, normal ones too (x before a:
F40i). More releases are two and two; with a smaller sum of 1/scale F2 applies. Over all outputs a
point z has the weight 1, as each x has the mass 1, and Laplace noise is injective.

Symbols:
a, b: the outputs, a the smaller
u, w: one over the scales of the releases that have them
x: a value of X
z: an output of the one release
"""
from pfverify.proof.language import *

(u, w), (a, b, x), z = positive("u w"), constants("a b x"), variables("z")
kappa, phi = u + w, exp(-u * (z - a) - w * (b - z))
far = exp(-kappa * abs(x - z))
at_a, at_b = u / kappa * at(phi * far, {z: a}), w / kappa * at(phi * far, {z: b})
line = integral(phi * far, z, a, b)
left, right = phi * exp(-kappa * (x - z)), phi * exp(-kappa * (z - x))
before, after = integral(phi * far, z, a, x), integral(phi * far, z, x, b)
to_x, from_x = integral(left, z, a, x), integral(right, z, x, b)
mixture = exp(-u * abs(x - a) - w * abs(x - b)) == at_a + at_b + 2 * u * w / kappa * line

Claim(
    id="F40h", source=paper("design", "F40"), result=PROVED,
    words="e^(-u|x-a| - w|x-b|), a <= b, kappa = u + w, is u/kappa e^(-w(b-a)) e^(-kappa|x-a|) + "
          "w/kappa e^(-u(b-a)) e^(-kappa|x-b|) and 2 u w/kappa times the integral from a to b of "
          "e^(-u(z-a) - w(b-z)) e^(-kappa|x-z|), for x between a and b",
    printed=proved(
        given={"x": a <= x and x <= b}, example=instance(u=1, w=2, a=0, b=2, x=1),
        statement=mixture,
        steps=[
            step("split", line == before + after, split_integral(x, ["x"])),
            step("on the left", implies(a <= z and z <= x, phi * far == left), arithmetic()),
            step("on the right", implies(x <= z and z <= b, phi * far == right), arithmetic()),
            step("before", before == to_x, integrate(
                "on the left", z, using=["x"], between=(a, x))),
            step("after", after == from_x, integrate(
                "on the right", z, using=["x"], between=(x, b))),
            step("to x", to_x == (at(left, {z: x}) - at(left, {z: a})) / (2 * w), antiderivative(
                left / (2 * w))),
            step("from x", from_x == (at(right, {z: x}) - at(right, {z: b})) / (2 * u),
                 antiderivative(-right / (2 * u))),
            step("all", mixture, arithmetic("split", "before", "after", "to x", "from x", "x")),
        ],
    ),
    breaks=[edit("kappa = u", "to x"), edit("drop x", "before")],
)
