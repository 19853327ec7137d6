"""Two mixtures and a plan of their components.

Component m of the one has weight alpha(m), mean mu(m) and standard deviation s(m), component l of
the other mean nu(l) and standard deviation t(l); w(m, l) is the plan's weight of the two. z is
drawn from the law of standardised data: x belongs to component m, T is its image in component l.
The tables are for examples: two components of equal weight, alike in spread, against one.

Symbols:
m: a component of the first mixture
l: a component of the second mixture
z: standardised data
alpha: the weight of a component of the first mixture
w: the plan's weight of two components
mu: the mean of a component of the first mixture
nu: the mean of a component of the second mixture
s: the standard deviation of a component of the first mixture
t: the standard deviation of a component of the second mixture
"""
from pfverify.proof.language import *

m, l, z = indices("m", "M"), indices("l", "L"), draws("z", "Z")
alpha, w = masses("alpha w")
mu, nu, s, t = functions("mu nu s t")
x, T = mu(m) + s(m) * z, nu(l) + t(l) * z
half, halves, one = {1: 1/2, 2: 1/2}, {(1, 1): 1/2, (2, 1): 1/2}, {1: 1, 2: 1}
