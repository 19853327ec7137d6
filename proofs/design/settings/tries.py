"""Independent tries of one chance, and the binomial formula for so many successes or more of them.

One more try succeeds with the chance t, whatever came before: `one_more`. With g = log p and f =
log(1 - p), 0 < p < 1, e^(i g) is p^i, and `formula` the sum over i >= k of C(w, i) p^i (1-p)^(w-i)
for w tries, where C has Pascal's numbers: `pascal`, `outside`.

Symbols:
n, j, l: numbers of tries
o, most: no try and all of them
m: a number of tries that is not 0
k, t, u, v, w: any numbers
i, a, b: numbers of successes from 0 on
first, last: 0 and a number that no tries reach
C: Pascal's numbers
tail: the probability of so many or more in so many tries, for a chance
start: that without tries
"""
from pfverify.proof.language import *

(n, j, l), (o, most, m) = indices("n j l", "Tries"), member("o most m", "Tries")
(i, a, b), (first, last) = indices("i a b", "Counts"), member("first last", "Counts")
(k, t, u, v, w), (C, tail, start) = variables("k t u v w"), functions("C tail start")
no_try = tail(o, k, t) == start(k) and start(k) <= start(k - 1)
one_more = n == o or tail(n, k, t) == t * tail(n - 1, k - 1, t) + (1 - t) * tail(n - 1, k, t)
within, tries, counts = o <= w and w < most, is_chain([j, l], [o, most]), is_chain(
    [a, b], [first, last])
pascal = implies(within, C(w + 1, v) == C(w, v - 1) + C(w, v))
outside = implies(within, C(w, first - 1) == 0 and C(w, last) == 0)
