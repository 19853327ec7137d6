"""F48: discrete Gaussian noise: the sign of a sum of exponentials decides p <= E q.

The chance of y given x is e^(-(y-x)^2/(2 s^2)) over a sum Z that is one for all x of a coset of the
lattice, so that it cancels. What is proved holds at every real y.

Symbols:
s: the standard deviation
E: e^epsilon
Z: the normalising sum
y: an output
x: an atom
P, Q: masses of two priors
"""
from pfverify.proof.language import *

(s, E, Z), y = positive("s E Z"), variables("y")
x, (P, Q) = indices("x", "X"), masses("P Q")
k = exp(-(y - x)**2 / (2 * s**2))
p, q = total(P(x) * k, x) / Z, total(Q(x) * k, x) / Z
tilted = total((P(x) - E * Q(x)) * exp(-x**2 / (2 * s**2)) * exp(x * y / s**2), x)

Claim(
    id="F48", source=paper("design", "F48"), result=PROVED,
    words="With discrete Gaussian noise p <= E q at y exactly if the sum of (P - E Q) "
          "e^(-x^2/(2 s^2)) e^(x y/s^2) over the atoms x is <= 0, without the normalising sum",
    printed=proved(
        statement=iff(p <= E * q, tilted <= 0),
        steps=[
            step("tilt", Z * (p - E * q) == exp(-y**2 / (2 * s**2)) * tilted,
                 termwise(identity(), x)),
            step("sign", iff(p <= E * q, tilted <= 0), arithmetic("tilt")),
        ],
    ),
    breaks=[edit("tilted = total((P(x) - E * Q(x)) * exp(x * y / s**2), x)", "tilt")],
)
