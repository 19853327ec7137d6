"""One user of a system, and what all others report in sum.

r is drawn from Rest, the law of f(D_-i), the sum of the others' reports: any law, so any number of
others with any laws. User i reports a(i) or b(i), is absent (X is then r), or reports t or s, drawn
from the laws P and Q without regard to r. The densities at y are those of X with Laplace noise of
scale theta: absent, from_a, from_b, from_P, from_Q. E is e^epsilon; private_ab, ... say that both
orders of a pair keep it: of (a, b), (a, absent), (P, absent) and (P, Q).

Symbols:
theta: the scale of the Laplace noise
epsilon: the privacy parameter
y: an output
i: a user
a, b: a value that a user may report
r: the sum of the others' reports
t: a report of the user under the law P
s: a report of the user under the law Q
"""
from pfverify.proof.language import *

(theta, epsilon), y, i = positive("theta epsilon"), variables("y"), indices("i", "Users")
E, (a, b) = exp(epsilon), functions("a b")
r, t, s = draws("r", "Rest"), draws("t", "P"), draws("s", "Q")
absent = mean(exp(-abs(y - r) / theta) / (2 * theta), r)
from_a, from_b = at(absent, {y: y - a(i)}), at(absent, {y: y - b(i)})
from_P, from_Q = mean(at(absent, {y: y - t}), t), mean(at(absent, {y: y - s}), s)
private_ab = from_a <= E * from_b and from_b <= E * from_a
private_a = from_a <= E * absent and absent <= E * from_a
private_P = from_P <= E * absent and absent <= E * from_P
private_PQ = from_P <= E * from_Q and from_Q <= E * from_P
fair = law({0: 1/2, 1: 1/2})
