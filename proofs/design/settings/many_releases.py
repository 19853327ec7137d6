"""Laplace releases of one X, whose atoms are points of a lattice, beside one release of it.

j is drawn from any law of outputs, with respect to which L(j, x) is the density of the output j
given x. It is bounded at the points of a window with the atoms, and a step beside them, where it is
f, u and d. `bends` is what F40d shows of it. E is e^epsilon, t what the noise of the one release
decays by from one point to the next.

Symbols:
kappa: one over the scale of the one release
h: the step of the lattice
E: e^epsilon
P, Q: masses of two priors
o, n: the first and the last point of a window that has the atoms
x, i, k, z: points of the window
j: an output, drawn from any law
L: its density with respect to that law, given any value of X
f, u, d: what that is at a point, at the next one and at the one before
most: a bound of f, u and d, and of g
g: the excess at an output
v: any number
"""
from pfverify.proof.language import *

(kappa, h, E), most, v = positive("kappa h E"), constants("most"), variables("v")
(x, i, k, z), (o, n), j = indices("x i k z", "X"), member("o n", "X"), draws("j", "S")
(P, Q, f, u, d), (g, L), t = masses("P Q f u d"), functions("g L"), exp(-kappa * h)
L_i, L_up, L_back = L(j, i), L(j, i + h), L(j, i - h)
bends = t * L_i <= L_up <= L_i / t and t * L_i <= L_back <= L_i / t and L_up * L_back <= L_i**2
beside = L_up == u(j, i) and L_back == d(j, i)
at_most = f(j, i) <= most and u(j, i) <= most and d(j, i) <= most and abs(g(j)) <= most
laws = mean(f(j, i), j) == 1 and mean(u(j, i), j) == 1 and mean(d(j, i), j) == 1
