"""A plan pi of two priors, its distribution functions, and the steps D of Lemma 1 (25).

F and G are the distribution functions of the two priors, J is the joint one, B the mass strictly
before v. c and d are the ends of the farthest edge, m is the letter with the longest step, and e
the letter just before d on the way from c.

Symbols:
u: where the distribution function of the first prior is taken
v: where the distribution function of the second prior is taken
x: a letter, of the first prior where a plan moves mass
z: a letter, of the second prior where a plan moves mass
y: a letter
c, d: an end of the farthest edge
e: the letter just before d on the way from c
m: the letter with the longest step
pi: the plan of the two priors
D: the step at a letter, (25)
"""
from pfverify.proof.language import *

(u, v), (x, y, z) = variables("u v"), indices("x y z", "X")
c, d, e, m = member("c d e m", "X")
pi, D = masses("pi D")
low, left, n, far = indicator(u - x), indicator(v - z), D(y), abs(c - d)
F, G = total(pi(x, z) * low, x, z), total(pi(x, z) * left, x, z)
J, B = total(pi(x, z) * low * left, x, z), total(pi(x, z) * (1 - indicator(z - v)), x, z)
F_y, over, under = at(F, {u: y}), at(F > G, {u: y, v: y}), at(F < G, {u: y, v: y})
edge = pi(c, d) > 0 and (pi(x, z) == 0 or abs(x - z) <= far)
above, beside = pi(x, z) * low * (1 - left), pi(x, z) * (1 - low) * left
plan_6 = at(J == minimum(F, G), {u: x, v: z})
four = difference(difference(minimum(F, G), u, x), v, z)  # the masses (6) of the plan
whole_steps = (implies(over, at(G, {v: y + n - 1}) < F_y and F_y <= at(G, {v: y + n}))
               and implies(under, at(G, {v: y - n}) <= F_y and F_y < at(G, {v: y - n + 1})))
real_steps = (implies(over, at(B, {v: y + n}) < F_y and F_y <= at(G, {v: y + n}))
              and implies(under, at(B, {v: y - n}) <= F_y and (n == 0 or F_y < at(G, {v: y - n}))))
defined = n == 0 or over or under  # otherwise F = G at y
no_gaps = implies(c < d, e == d - 1) and implies(d < c, e == c - 1)
whole_letters = abs(abs(x - z) - n) >= 1 or abs(x - z) == n
