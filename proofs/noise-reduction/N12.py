"""Assumption 3.1: for finitely many points (7) is a sum over columns."""
from pfverify.proof.language import *

theta, E = positive("theta E")
y = variables("y")
x, z = indices("x z", "X")
pi = masses("pi")
P, Q = total(pi(x, z), z), total(pi(x, z), x)
far, near = exp(-abs(y - x) / theta) / (2 * theta), exp(-abs(y - z) / theta) / (2 * theta)
p, q = total(P * far, x), total(Q * near, z)
excess = (exp(abs(x - z) / theta) - E) * pi(x, z)
columns = total(near * total(excess, x), z)

Claim(
    id="N12", source=paper("noise-reduction", "Assumption 3.1"), result=PROVED,
    words="With a finite alphabet the bound of p - e^epsilon q is the sum over x' of the noise "
          + "density at y - x' times the column sum",
    printed=proved(
        statement=p - E * q <= columns,
        steps=[
            step("triangle", far - E * near <= near * (exp(abs(x - z) / theta) - E), arithmetic()),
            step("sum", p - E * q <= columns, integrate("triangle", x, z, weight=pi(x, z))),
        ],
    ),
    breaks=[
        edit("excess = (exp(abs(x - z) / (2 * theta)) - E) * pi(x, z)", "sum",
             instance(theta=1, E=2, X=[0, 1], pi={(0, 1): 1}), {y: 0}),
    ],
)
