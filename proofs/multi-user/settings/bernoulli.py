"""A user who reports 0 or 1, and what all others report in sum.

r is drawn from Rest, the law of f(D_-i), the sum of the others' reports: any law, so any number of
others with any laws. The user reports 1 with probability p if his law is P, q if it is Q, else 0.
p_y and q_y are the densities at y of the sum with Laplace noise of scale theta. f_x is the
probability that the others' sum is x, F and G are the distribution functions at x of the sum of
all; `whole`: the others' sum is x or at least 1 away. E is e^epsilon; F34 is about d and `fits`.

Symbols:
theta: the scale of the Laplace noise
epsilon: the privacy parameter
p: the probability that the user reports 1, under P
q: the probability that the user reports 1, under Q
d: |p - q| - (e^epsilon - 1) min(p, q, 1 - p, 1 - q), or a bound of it
R: a bound of the others' sum, in absolute value
x: a value of the sum
r: the sum of the others' reports
y: an output
"""
from pfverify.proof.language import *

(theta, epsilon), (p, q, d, R, x) = positive("theta epsilon"), constants("p q d R x")
r, y, E = draws("r", "Rest"), variables("y"), exp(epsilon)
without = mean(exp(-abs(y - r) / theta) / (2 * theta), r)
p_y = (1 - p) * without + p * at(without, {y: y - 1})
q_y = (1 - q) * without + q * at(without, {y: y - 1})
private = p_y <= E * q_y and q_y <= E * p_y
f_x, below = mean(indicator(-abs(r - x)), r), mean(indicator(x - r), r)
whole = r == x or abs(r - x) >= 1
F = (1 - p) * below + p * at(below, {x: x - 1})
G = (1 - q) * below + q * at(below, {x: x - 1})
probabilities = 0 <= p and p <= 1 and 0 <= q and q <= 1
as_F34, fits = {"h": 1, "b": theta, "E": E}, (exp(1 / theta) - 1) * d <= E - 1
as_d = {d: abs(p - q) - (E - 1) * minimum(p, q, 1 - p, 1 - q)}
d_is = d == abs(p - q) - (E - 1) * minimum(p, q, 1 - p, 1 - q)
