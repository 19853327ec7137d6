"""The tupling mechanism with k dummies, for two laws p and q of the value that it hides.

p and q are what a local mechanism makes of two distributions, A#(lambda_0) and A#(lambda_1); y is a
letter of Y, m their number. A tuple t (of Tuples, all that have k + 1 letters) has the letter y at
N(t, y) of its places. If the hidden value is y, t comes out with the chance c N(t, y), c = 1/((k +
1) m^k): each place is as likely to be that of the value, and the dummies are uniform (`channel`).
c p_t and c q_t are the chances of t, one_p and one_q those of the tuple (y, s) if k = 1. B(t) is
the chance that an event counts t, at_p and at_q are its chances. e^epsilon_alpha and delta_alpha of
Theorem 3 are E and delta.

f and g are p and q where these are at most beta, elsewhere 0 (or less than that: light_f, light_g).
Given the hidden value s, e^(h f_t) has the mean of a product, as dummies are independent: e^(h
f(s)), and the mean e^L_f of e^(h f) over the letters for each dummy; so has e^(-h g_t). `over` is 1
where f_t is too large, `under` where g_t is too small, `tail` what Hoeffding says of either.

Symbols:
k: the number of dummies
m: the number of letters
c: 1/((k + 1) m^k), of which the chance of a tuple is a multiple
beta: the bound of f and g at each letter
alpha: how far the dummies' sum of f or g may be from its mean
eta: the most mass of p (of q) that f (g) leaves out
L_f: the logarithm of the mean of e^(h f) over the letters
L_g: the logarithm of the mean of e^(-h g) over the letters
t: a tuple of k + 1 letters
y, s: a letter
p: a law of the value that the mechanism hides
q: another law of the value that the mechanism hides
f: p where that is at most beta, elsewhere 0, or less
g: q where that is at most beta, elsewhere 0, or less
N: in how many of its places a tuple has a letter
B: an event, B(t) the chance that it counts the tuple t
"""
from pfverify.proof.language import *

(k, m, c, beta, alpha), (eta, L_f, L_g) = positive("k m c beta alpha"), constants("eta L_f L_g")
t, (y, s), (p, q, f, g, N, B) = indices("t", "Tuples"), indices("y s", "Y"), masses("p q f g N B")
p_t, q_t = total(N(t, y) * p(y), y), total(N(t, y) * q(y), y)
at_p, at_q = total(c * p_t * B(t), t), total(c * q_t * B(t), t)
f_t, g_t, h = total(N(t, y) * f(y), y), total(N(t, y) * g(y), y), 4 * alpha / (k * beta**2)
E, tail = (k + (alpha + beta) * m) / (k - alpha * m), exp(-2 * alpha**2 / (k * beta**2))
delta, one_p, one_q = 2 * tail + eta, (p(y) + p(s)) / (2 * m), (q(y) + q(s)) / (2 * m)
laws, letters = total(p(y), y) == 1 and total(q(y), y) == 1, total(1, y) == m
light_f = f(y) <= p(y) and f(y) <= beta and total(f(y), y) >= 1 - eta
light_g = g(y) <= q(y) and g(y) <= beta and total(g(y), y) >= 1 - eta
means = exp(L_f) == total(exp(h * f(y)), y) / m and exp(L_g) == total(exp(-h * g(y)), y) / m
dummies_f = total(c * N(t, s) * exp(h * f_t), t) == exp(h * f(s) + k * L_f)
dummies_g = total(c * N(t, s) * exp(-h * g_t), t) == exp(-h * g(s) + k * L_g)
channel, event, smaller = total(c * N(t, y), t) == 1, B(t) <= 1, alpha * m < k
over = indicator(f_t - beta - k * total(f(y), y) / m - alpha)
under = indicator(k * total(g(y), y) / m - g_t - alpha)
two_dummies = instance(  # two letters: the eight tuples of three
    k=2, m=2, c=1/12, beta=3/4, alpha=9/16, eta=0, F=37/7, L_f=log(exp(3/2)/2 + exp(1/2)/2),
    L_g=log(exp(-3/2)/2 + exp(-1/2)/2), Y=[0, 1], Tuples=[1, 2, 3, 4, 5, 6, 7, 8],
    p={0: 3/4, 1: 1/4}, q={0: 1/4, 1: 3/4}, f={0: 3/4, 1: 1/4}, g={0: 1/4, 1: 3/4},
    N={(1, 0): 3, (2, 0): 2, (2, 1): 1, (3, 0): 2, (3, 1): 1, (4, 0): 2, (4, 1): 1, (5, 0): 1,
       (5, 1): 2, (6, 0): 1, (6, 1): 2, (7, 0): 1, (7, 1): 2, (8, 1): 3}, B={1: 1, 2: 1})
