"""Tuples of k + 1 letters, and those with one letter more: what one more dummy changes.

A tuple t has the letter y (of Y, which has m) at N(t, y) of its k + 1 places, a longer one l at
M(l, y) of its k + 2; its place j has y if has(l, j, y) is 1, else that is 0. Without its place j it
is the tuple t if D = drop(l, j, t) is 1, else that is 0: `without` counts what is left, `insert`
the letters and places at which a tuple can be made longer. If the hidden letter is y, t comes out
with the chance c N(t, y), and l, with one dummy more, with the chance c_l M(l, y).

Symbols:
k: the number of dummies
m: the number of letters
c: the chance of a tuple is c times the number of places that have the hidden letter
t: a tuple of k + 1 letters
l: a longer tuple, of k + 2 letters
j: a place of a longer tuple
y: a letter
N: in how many of its places a tuple has a letter
M: in how many of its places a longer tuple has a letter
has: 1 where a longer tuple has the letter at the place, else 0
drop: 1 where a longer tuple without the place is the tuple, else 0
"""
from pfverify.proof.language import *

k, m, c = positive("k m c")
t, l, j = indices("t", "Tuples"), indices("l", "Longer"), indices("j", "Places")
y, (N, M, has, drop) = indices("y", "Y"), masses("N M has drop")
D, c_l = drop(l, j, t), c * (k + 1) / ((k + 2) * m)
places, counts = total(1, j) == k + 2, M(l, y) == total(has(l, j, y), j)
without = total(D * N(t, y), t) == M(l, y) - has(l, j, y)
insert = total(D, l, j) == (k + 2) * m
left = total(M(l, y) - has(l, j, y), j)  # of y, without each place in turn
rest = total(D * N(t, y), t, j) == (k + 1) * M(l, y)
three = [1, 2, 3]
ones = {(1, 1, 1): 1, (1, 2, 1): 1, (1, 3, 1): 1}  # of has, drop if all is the letter 1, k = 1
