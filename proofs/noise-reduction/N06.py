"""Section 3.1: a density is not at most 1; what the derivation needs is that it is >= 0."""
from pfverify.proof.language import *

theta = positive("theta")
v = variables("v")
density = exp(-abs(v) / theta) / (2 * theta)

Claim(
    id="N06", source=paper("noise-reduction", "Section 3.1"), result=REPAIRED,
    words="The noise density takes values between 0 and 1",
    printed=refuted(
        statement=0 <= density and density <= 1, at={v: 0}, instance=instance(theta=1/4),
    ),
    corrected=proved(
        words="It takes values between 0 and 1/(2 theta)",
        statement=0 <= density and density <= 1 / (2 * theta),
        steps=[step("range", 0 <= density and density <= 1 / (2 * theta), arithmetic())],
    ),
    breaks=[
        edit("range = 0 <= density and density <= 1 / (4 * theta)", "range",
             instance(theta=1), {v: 0}),
    ],
)
