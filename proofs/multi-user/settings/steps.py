"""The user's own two laws P and Q, the steps (17) between them, and what all others report in sum.

Whole letters are o, o + 1, ..., n. F and G are the distribution functions of P at u and of Q at v,
B is that of Q just before v. D(x) is the step (17) at x, whole or real, m a letter of the largest,
theta the scale (16). r is drawn from Rest, the law of the others' sum: any law. own_P and own_Q are
2 theta times the densities at y of the user's report with Laplace noise, from_P and from_Q those of
the sum. E is e^epsilon.

Symbols:
theta: the scale (16) of the Laplace noise
epsilon: the privacy parameter
u: where the distribution function of P is taken
v: where the distribution function of Q is taken
y: an output
x, z, a, k: a letter
o: the first letter
n: the last letter
m: a letter whose step is a largest
P: the one law of the user's report
Q: the other law of the user's report
D: the step at a letter, (17)
r: the sum of the others' reports
"""
from pfverify.proof.language import *

(theta, epsilon), (u, v, y) = positive("theta epsilon"), variables("u v y")
(x, z, a, k), (o, n, m) = indices("x z a k", "X"), member("o n m", "X")
(P, Q, D), r, E = masses("P Q D"), draws("r", "Rest"), exp(epsilon)
F, G = total(P(a) * indicator(u - a), a), total(Q(a) * indicator(v - a), a)
B, F_x = total(Q(a) * (1 - indicator(a - v)), a), at(F, {u: x})
entry = difference(difference(minimum(F, G), u, x), v, z)
over, under = at(F > G, {u: x, v: x}), at(F < G, {u: x, v: x})
whole_17 = (implies(over, at(G, {v: x + D(x) - 1}) < F_x and F_x <= at(G, {v: x + D(x)}))
            and implies(under, at(G, {v: x - D(x)}) <= F_x and F_x < at(G, {v: x - D(x) + 1})))
real_17 = (implies(over, at(B, {v: x + D(x)}) < F_x and F_x <= at(G, {v: x + D(x)}))
           and implies(under, at(B, {v: x - D(x)}) <= F_x
                       and (D(x) == 0 or F_x < at(G, {v: x - D(x)}))))
largest = (over or under or D(x) == 0) and D(x) <= D(m)
own_P, own_Q = total(P(x) * exp(-abs(y - x) / theta), x), total(Q(z) * exp(-abs(y - z) / theta), z)
from_P, from_Q = mean(at(own_P, {y: y - r}), r), mean(at(own_Q, {y: y - r}), r)
private = from_P <= E * from_Q and from_Q <= E * from_P
