"""The display between (5) and (6) has lost the factor e^epsilon."""
from pfverify.proof.language import *
from settings.releases import *

Claim(
    id="N05", source=paper("noise-reduction", "display between (5) and (6)"), result=REPAIRED,
    words="p - e^epsilon q is the integral of the difference of the two kernels",
    meaning=meant,
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
