"""(34): the linear map is not the plan of least mean (|x - x'|/b - epsilon)^2."""
from pfverify.proof.language import *

b, epsilon = positive("b epsilon")
v = variables("v")
mean_abs = sqrt(2 / PI)  # E|Z|
monge, mirror = epsilon**2, 4 / b**2 - 4 * epsilon / b * mean_abs + epsilon**2
near, far = (-2 * v / b - epsilon)**2 * normal_pdf(v), (2 * v / b - epsilon)**2 * normal_pdf(v)
left, right = integral(near, v, -oo, 0), integral(far, v, 0, oo)
still = integral((abs(v - v) / b - epsilon)**2 * normal_pdf(v), v, -oo, oo)
values = still == monge and left + right == mirror
F = normal_cdf(v) * (4 / b**2 + epsilon**2) - 4 / b**2 * v * normal_pdf(v)
G = 4 * epsilon / b * normal_pdf(v)

Claim(
    id="G41", source=paper("gaussian-priors", "(34)"), result=REFUTED,
    words="Of all couplings of two normal priors the linear map has the least mean of "
          "(|x - x'|/b - epsilon)^2",
    printed=refuted(
        words="N(0,1) twice, b = 2, epsilon = 1: 1 for the map x' = x, 0.404 for x' = -x",
        statement=monge <= mirror + 595/1000, instance=instance(b=2, epsilon=1),
    ),
    tighter=proved(
        words="The means of the two maps, for every b and epsilon",
        statement=values,
        steps=[
            step("still", still == monge, antiderivative(epsilon**2 * normal_cdf(v))),
            step("left", left == mirror / 2, antiderivative(F - G)),
            step("right", right == mirror / 2, antiderivative(F + G)),
            step("mirror", left + right == mirror, arithmetic("left", "right")),
        ],
    ),
    breaks=[
        edit("monge = epsilon**2 / 4", "the counterexample"), edit("G = F", "left"),
    ],
)
