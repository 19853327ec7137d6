"""Two channels on one input: A (A_0 in the paper) from X to Y and C (A_1) from X to W.

E, F are e^epsilon_0, e^epsilon_1, and delta, eta are delta_0, delta_1. P and Q are two laws of the
input; p, q are the laws of A's output under these, r, s those of C's; p_both and q_both are the
laws of both outputs on the same input, A_1 (.) A_0 in the paper. An `excess` is what the worst
event has: the largest of p(B) - E q(B) (D01), from P to Q or from the input x to z.
gamma is a coupling of P and Q if `first` and `second` hold; related(x, z) is 1 for the pairs in the
relation Phi, else 0, and `inside` says that the coupling's support is in Phi.

Symbols:
E: e^epsilon of the first channel
F: e^epsilon of the second channel
delta: the delta of the first channel
eta: the delta of the second channel
x, z: an input of both channels
y: an output of the first channel
w: an output of the second channel
A: the first channel, A(x, y) the chance of the output y on the input x
C: the second channel, C(x, w) the chance of the output w on the input x
P: a law of the input
Q: another law of the input
gamma: a coupling of P and Q
related: 1 for the pairs in the relation Phi, else 0
"""
from pfverify.proof.language import *

(E, F), (delta, eta) = positive("E F"), constants("delta eta")
(x, z), y, w = indices("x z", "X"), indices("y", "Y"), indices("w", "W")
P, Q, A, C, gamma, related = masses("P Q A C gamma related")
p, q = total(P(x) * A(x, y), x), total(Q(z) * A(z, y), z)
r, s = total(P(x) * C(x, w), x), total(Q(z) * C(z, w), z)
p_both, q_both = total(P(x) * A(x, y) * C(x, w), x), total(Q(z) * A(z, y) * C(z, w), z)
excess_A, excess_C = total(maximum(p - E * q, 0), y), total(maximum(r - F * s, 0), w)
excess_both = total(maximum(p_both - E * F * q_both, 0), w, y)
A_xz = total(maximum(A(x, y) - E * A(z, y), 0), y)
C_xz = total(maximum(C(x, w) - F * C(z, w), 0), w)
both_xz = total(maximum(A(x, y) * C(x, w) - E * F * A(z, y) * C(z, w), 0), w, y)
channels = total(A(x, y), y) == 1 and total(C(x, w), w) == 1
laws = total(P(x), x) == 1 and total(Q(z), z) == 1
first, second = total(gamma(x, z), z) == P(x), total(gamma(x, z), x) == Q(z)
relation, size = related(x, z) == 0 or related(x, z) == 1, total(related(x, z), x, z)  # |Phi|
inside = gamma(x, z) == 0 or related(x, z) == 1
response = {(0, 0): 3/4, (0, 1): 1/4, (1, 0): 1/4, (1, 1): 3/4}  # randomized response, E = 3
swap = instance(E=3, F=3, delta=0, eta=0, X=[0, 1], Y=[0, 1], W=[0, 1], A=response, C=response,
                P={0: 1}, Q={1: 1}, gamma={(0, 1): 1}, related={(0, 1): 1, (1, 0): 1})
shown = instance(E=3, F=3, delta=0, eta=0, X=[0, 1], Y=[0, 1], W=[0, 1], A={(0, 0): 1, (1, 1): 1},
                 C=response, P={0: 1}, Q={1: 1}, gamma={(0, 1): 1}, related={(0, 1): 1})
