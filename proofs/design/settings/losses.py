"""Masses at finitely many losses, and two laws of an output, as F71 and F72 compare them.

h(E) = a_inf + the sum of a(j) (1 - E e^(-l(j)))_+ is H_E of a pair that has such losses; a(j) may
be 0. p and q are densities with respect to any law S (masses too), and H_E(P||Q) = sup over events
B of P(B) - E Q(B) is the mean of the positive part of p - E q.

Symbols:
E: e^epsilon, or any other factor
A, B: the ends of a piece of factors
j: a position of a loss: 1, 2, ...
l: the loss there
a: the mass there
a_inf: the mass at an infinite loss
y: an output
p, q: its densities under the two secrets
most: a bound of them (2, with respect to (P + Q)/2)
"""
from pfverify.proof.language import *

(E, A, B, a_inf, most), y = constants("E A B a_inf most"), draws("y", "S")
j, (a, p, q), l = indices("j", "Losses"), masses("a p q"), functions("l")
part, H = total(a(j) * maximum(1 - E * exp(-l(j)), 0), j), mean(maximum(p(y) - E * q(y), 0), y)
h, bounds = a_inf + part, p(y) <= most and q(y) <= most
h_A, h_B, H_A, H_B = at(h, {E: A}), at(h, {E: B}), at(H, {E: A}), at(H, {E: B})
below, inside = H <= h, A <= E <= B
