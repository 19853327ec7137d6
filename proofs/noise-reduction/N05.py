"""The display between (5) and (6) has lost the factor e^epsilon."""
from pfverify.proof.language import *

theta, E = positive("theta E")
y = variables("y")
x, z = indices("x z", "X")
pi = masses("pi")
far, near = exp(-abs(y - x) / theta) / (2 * theta), exp(-abs(y - z) / theta) / (2 * theta)
p, q = total(pi(x, z) * far, x, z), total(pi(x, z) * near, x, z)

Claim(
    id="N05", source=paper("noise-reduction", "display between (5) and (6)"), result=REPAIRED,
    words="p - e^epsilon q is the integral of the difference of the two kernels",
    printed=refuted(
        statement=p - E * q == total(pi(x, z) * (far - near), x, z), at={y: 0},
        instance=instance(theta=1, E=2, X=[0, 1], pi={(0, 1): 1}),
    ),
    corrected=proved(
        statement=p - E * q == total(pi(x, z) * (far - E * near), x, z),
        steps=[step("linear", p - E * q == total(pi(x, z) * (far - E * near), x, z), identity())],
    ),
    breaks=[
        edit("linear = p - E * q == total(pi(x, z) * (far - near), x, z)", "linear",
             instance(theta=1, E=2, X=[0, 1], pi={(0, 1): 1}), {y: 0}),
    ],
)
