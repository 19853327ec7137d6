"""F48: for two points and Gaussian noise, on a lattice or not, one half line is the worst event.

Symbols:
s: the standard deviation
D: the distance of the two points
eps: epsilon
y: an output
"""
from pfverify.proof.language import *

(s, D), (eps, y) = positive("s D"), (constants("eps"), variables("y"))
p, q = exp(-y**2 / (2 * s**2)), exp(-(y - D)**2 / (2 * s**2))  # without the normalising sum
cut = D / 2 - eps * s**2 / D

Claim(
    id="F48d", source=paper("design", "F48"), result=PROVED,
    words="With discrete Gaussian noise around 0 and D, p > e^epsilon q exactly at the y below D/2 "
          "- epsilon s^2/D, so that delta is the excess of that half line",
    printed=proved(
        statement=iff(p > exp(eps) * q, y < cut),
        steps=[
            step("ratio", exp(eps) * q == p * exp(D / s**2 * (y - cut)), identity()),
            step("all", iff(p > exp(eps) * q, y < cut), arithmetic(
                "ratio", hints=[exp(D / s**2 * (y - cut))])),
        ],
    ),
    breaks=[edit("cut = D / 2 - eps * s / D", "ratio", instance(s=2, D=1, eps=1), {y: 0})],
)
