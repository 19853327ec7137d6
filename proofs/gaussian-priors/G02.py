"""(2): the excess of an event as a mean over any coupling of the priors.

Totals stand for integrals over the priors and over the outputs of an event.
"""
from pfverify.proof.language import *

E = positive("E")
(x, z), y = indices("x z", "X"), indices("y", "Y")
P, Q, pi, B, noise = masses("P Q pi B noise")  # any density of the noise
excess = total(B(y) * noise(y - x) * P(x), x, y) - E * total(B(y) * noise(y - z) * Q(z), z, y)
coupled = total(pi(x, z) * B(y) * (noise(y - x) - E * noise(y - z)), y, x, z)

Claim(
    id="G02", source=paper("gaussian-priors", "(2)"), result=PROVED,
    words="P(B|s_i) - e^epsilon P(B|s_j) is the mean over any coupling of the difference of the "
          "noise densities, integrated over B",
    printed=proved(
        given={"first prior": total(pi(x, z), z) == P(x),
               "second prior": total(pi(x, z), x) == Q(z)},
        example=instance(E=2, X=[0, 1], P={0: 1}, Q={0: 1/2, 1: 1/2}, Y=[0, 1], B={0: 1},
                         pi={(0, 0): 1/2, (0, 1): 1/2}, noise={-1: 1/4, 0: 1/2, 1: 1/4}),
        statement=excess == coupled,
        steps=[
            step("first", total(total(pi(x, z), z) * B(y) * noise(y - x), x, y)
                 == total(B(y) * noise(y - x) * P(x), x, y),
                 integrate("first prior", x, y, weight=B(y) * noise(y - x))),
            step("second", total(total(pi(x, z), x) * B(y) * noise(y - z), z, y)
                 == total(B(y) * noise(y - z) * Q(z), z, y),
                 integrate("second prior", z, y, weight=B(y) * noise(y - z))),
            step("identity", excess == coupled, arithmetic("first", "second")),
        ],
    ),
)
