"""One user more, whose report is 1 with probability p under one belief and q under the other.

f is the law of the sum of the other users' reports, H its distribution function; F and G are those
with the user, J is min(F, G), pi the plan (6) with the masses `entry`. w, z, m are the letters
x' - 1, x' and x' + 1.

Symbols:
p: the probability of a report 1 under the one belief
q: the probability of a report 1 under the other belief
u: where the distribution function under the one belief is taken
v: where the distribution function under the other belief is taken
r, x: a letter
w: the letter before z
z: the letter x' of the paper
m: the letter after z
f: the law of the sum of the other users' reports
pi: the plan (6) of the two laws of the sum
"""
from pfverify.proof.language import *

(p, q), (u, v), (r, x) = constants("p q"), variables("u v"), indices("r x", "X")
w, z, m = member("w z m", "X")
f, pi = masses("f pi")
H = total(f(r) * indicator(u - r), r)
F = (1 - p) * H + p * at(H, {u: u - 1})
G = (1 - q) * at(H, {u: v}) + q * at(H, {u: v - 1})
J = minimum(F, G)
entry = difference(difference(J, u, x), v, z)
plan_6, whole = pi(x, z) == entry, implies(r != x, abs(r - x) >= 1)
H_grows = (implies(u <= v, H <= at(H, {u: v})) and implies(u == v, H == at(H, {u: v}))
           and difference(H, u, x) == f(x))
