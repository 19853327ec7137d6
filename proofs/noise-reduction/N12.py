"""Assumption 3.1: for finitely many points (7) is a sum over columns."""
from pfverify.proof.language import *
from settings.releases import *

columns = total(near * f, z)

Claim(
    id="N12", source=paper("noise-reduction", "Assumption 3.1"), result=PROVED,
    words="With a finite alphabet the bound of p - e^epsilon q is the sum over x' of the noise "
          + "density at y - x' times the column sum",
    meaning=meant,
    printed=proved(
        statement=p - E * q <= columns,
        steps=[
            step("sum", p - E * q <= columns, termwise(arithmetic(), x, z, weight=pi(x, z))),
        ],
    ),
    breaks=[
        edit("grow = exp(abs(x - z) / (2 * theta))", "sum",
             instance(theta=1, E=2, X=[0, 1], pi={(0, 1): 1}), {y: 0}),
    ],
)
