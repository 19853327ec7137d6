"""A plan pi, its column sums f at the scale theta, and a column c with mass whose root theta is.

x is a letter of the first prior and z (the paper's x') one of the second; f is the sum of (11)
over the column of z, S its positive part and Q the mass. `columns`, `root` and `largest` say what
the paper uses: no column exceeds 0, column c reaches it, and no mass moves farther than n.
At `larger`, a larger epsilon, `smaller` takes the place of theta.

Symbols:
epsilon: the privacy parameter
larger: a larger epsilon
n: the farthest that mass moves
theta: the scale of the noise at epsilon
smaller: the scale at the larger epsilon
x: a letter of the first prior
z: a letter of the second prior
c: a column with mass whose root theta is
pi: the plan of the two priors
"""
from pfverify.proof.language import *

epsilon, larger, n, theta, smaller = positive("epsilon larger n theta smaller")
(x, z), c, pi = indices("x z", "X"), member("c", "X"), masses("pi")
d, Q = abs(x - z), total(pi(x, z), x)
S, f = total(pi(x, z) * exp(d / theta), x), total(pi(x, z) * (exp(d / theta) - exp(epsilon)), x)
columns, root = f <= 0, at(f, {z: c}) == 0 and at(Q, {z: c}) > 0
columns_there = at(columns, {theta: smaller, epsilon: larger})
largest = pi(x, z) * (d - n) <= 0
table_1 = plan({0: 13/25, 1: 12/25}, {0: 1/2, 1: 1/2})
one_pair = instance(epsilon=1, theta=1, n=1, c=1, X=[0, 1], pi={(0, 1): 1})
half_moves = instance(epsilon=log(2), theta=1 / log(3), n=1, c=1, X=[0, 1],
                      pi={(0, 1): 1/2, (1, 1): 1/2})
halves_there = instance(epsilon=log(2), theta=1 / log(3), larger=log(3), smaller=1 / log(5), n=1,
                        c=1, X=[0, 1], pi={(0, 1): 1/2, (1, 1): 1/2})
meant, signs = [total(pi(x, z), x, z) == 1], {"larger": "epsilon'", "smaller": "theta'"}
