"""A plan pi of two priors P and Q, the densities p and q of their releases, and the sums of (11).

x is a letter of the first prior and z (the paper's x') one of the second; far and near are the
densities of the noise at y - x and y - z, theta is the scale and E is e^epsilon. f is the sum of
(11) over the column of z, row that of (12) over the row of x.

Symbols:
theta: the scale of the Laplace noise
E: e^epsilon
y: an output
x: a letter of the first prior
z: a letter of the second prior
pi: the plan of the two priors
"""
from pfverify.proof.language import *

(theta, E), y, (x, z), pi = positive("theta E"), variables("y"), indices("x z", "X"), masses("pi")
P, Q = total(pi(x, z), z), total(pi(x, z), x)
far, near = exp(-abs(y - x) / theta) / (2 * theta), exp(-abs(y - z) / theta) / (2 * theta)
p, q = total(P * far, x), total(Q * near, z)
grow = exp(abs(x - z) / theta)
f, row = total((grow - E) * pi(x, z), x), total((grow - E) * pi(x, z), z)
private = p <= E * q and q <= E * p
table_1 = plan({0: 13/25, 1: 12/25}, {0: 1/2, 1: 1/2})
meant = [total(pi(x, z), x, z) == 1, E > 1]
