"""A channel A from X to Y (a local mechanism), and two laws P and Q of its input.

A(x, y) is the chance of the output y on the input x, B(y) the chance that an event counts y: 0 or 1
for a plain one, which is a set R of outputs; x_B and z_B are the event's chances on the inputs x
and z. p and q are the laws of the output, what the lifting A# makes of P and Q, and p_B and q_B the
event's chances under these. E is e^epsilon. `excess` is the worst event's p_B - E q_B, `excess_xz`
its x_B - E z_B: a pair is (epsilon, delta)-private if that is at most delta (D01 shows that this is
Definition 1, and Definition 8 for A#). gamma is a coupling of P and Q if `first` and `second` hold;
related(x, z) is 1 for the pairs in the relation Phi, else 0.

Symbols:
E: e^epsilon
delta: the delta of (epsilon, delta)
x, z: an input of the channel
y: an output of the channel
P: a law of the input
Q: another law of the input
A: the channel, A(x, y) the chance of the output y on the input x
B: an event, B(y) the chance that it counts the output y
gamma: a coupling of P and Q
related: 1 for the pairs in the relation Phi, else 0
"""
from pfverify.proof.language import *

E, delta = positive("E"), constants("delta")
(x, z), y = indices("x z", "X"), indices("y", "Y")
P, Q, A, B, gamma, related = masses("P Q A B gamma related")
x_B, z_B = total(A(x, y) * B(y), y), total(A(z, y) * B(y), y)
p, q = total(P(x) * A(x, y), x), total(Q(z) * A(z, y), z)
p_B, q_B = total(p * B(y), y), total(q * B(y), y)
private = p_B <= E * q_B + delta
excess, worst = total(maximum(p - E * q, 0), y), indicator(p - E * q)
excess_xz = total(maximum(A(x, y) - E * A(z, y), 0), y)
channel = total(A(x, y), y) == 1
laws = total(P(x), x) == 1 and total(Q(z), z) == 1
first, second = total(gamma(x, z), z) == P(x), total(gamma(x, z), x) == Q(z)
relation, size = related(x, z) == 0 or related(x, z) == 1, total(related(x, z), x, z)  # |Phi|
inside = gamma(x, z) == 0 or related(x, z) == 1  # the coupling's support
response = {(0, 0): 3/4, (0, 1): 1/4, (1, 0): 1/4, (1, 1): 3/4}  # randomized response, E = 3
swap = instance(E=3, epsilon=log(3), delta=0, X=[0, 1], d={(0, 0): 0, (1, 1): 0, "else": 1}, W=1,
                Y=[0, 1], A=response, B={0: 1}, P={0: 1}, Q={1: 1}, gamma={(0, 1): 1},
                related={(0, 1): 1, (1, 0): 1})
shown = instance(E=3, delta=0, X=[0, 1], Y=[0, 1], A={(0, 0): 1, (1, 1): 1}, B={0: 1}, P={0: 1},
                 Q={1: 1}, gamma={(0, 1): 1}, related={(0, 1): 1, (1, 0): 1})  # the input itself
