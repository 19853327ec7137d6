"""F43: an event that exceeds by a margin has a log ratio that exceeds epsilon by as much.

So what fails at an event for one of several independent outputs may be added to the losses of the
others.

Symbols:
E: e^epsilon
P, Q: the masses of the event under the two secrets
m: by how much it exceeds
"""
from pfverify.proof.language import *

E, (P, Q, m) = positive("E"), constants("P Q m")
factor = E * Q * exp(m) <= P

Claim(
    id="F43h", source=paper("design", "F43"), result=PROVED,
    words="P - E Q >= m gives P >= e^m E Q: a mass is at most 1",
    printed=proved(
        given={"mass": 0 <= P and P <= 1, "excess": E * Q + m <= P, "margin": 0 <= m},
        example=instance(E=2, P=1, Q=1/4, m=1/2),
        statement=factor,
        steps=[
            step("small", P - m <= P * exp(-m), arithmetic("mass", "margin", hints=[exp(-m)])),
            step("all", factor, arithmetic("small", "excess", hints=[exp(m), exp(-m)])),
        ],
    ),
    breaks=[
        edit("drop mass", "small", instance(E=1, P=4, Q=2, m=2)),
        edit("drop excess", "all", instance(E=1, P=0, Q=1, m=0)),
    ],
)
