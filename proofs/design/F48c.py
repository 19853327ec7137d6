"""F48: with discrete Gaussian noise no epsilon bounds the loss if Q lacks the largest atom of P.

Symbols:
s: the standard deviation
E: e^epsilon
h: how far the atoms of Q are from n
y: an output
x: an atom
n: an atom of P
P, Q: masses of two priors
"""
from pfverify.proof.language import *

(s, E, h), y = positive("s E h"), variables("y")
x, n, (P, Q) = indices("x", "X"), member("n", "X"), masses("P Q")
k = exp(-(y - x)**2 / (2 * s**2))
k_n, p, q = at(k, {x: n}), total(P(x) * k, x), total(Q(x) * k, x)  # without the normalising sum
beyond, fade = n <= y, exp(-(2 * h * (y - n) + h**2) / (2 * s**2))
far, exceeds = beyond and E * total(Q(x), x) * fade < P(n), E * q < p

Claim(
    id="F48c", source=paper("design", "F48"), result=PROVED,
    words="If P has an atom n and all atoms of Q are at most n - h, then p > E q at every y >= n "
          "with e^((2 h (y-n) + h^2)/(2 s^2)) > E/P(n): for discrete Gaussian noise no epsilon is "
          "enough at delta = 0",
    printed=proved(
        given={"Q": x <= n - h or Q(x) == 0},
        example=instance(s=1, E=2, h=1, X=[0, 1], n=1, P={0: 1/2, 1: 1/2}, Q={0: 1}),
        statement=implies(far, exceeds),
        steps=[
            step("squares", implies(beyond and x <= n - h, (y - n + h)**2 <= (y - x)**2),
                 arithmetic()),
            step("k", implies(beyond and x <= n - h, k <= fade * k_n), arithmetic("squares")),
            step("q", implies(beyond, q <= fade * k_n * total(Q(x), x)),
                 termwise(arithmetic("k", "Q"), x)),
            step("a term", 0 <= P(x) * k, arithmetic()),
            step("p", P(n) * k_n <= p, one_term("a term", {x: n})),
            step("all", implies(far, exceeds), arithmetic("p", "q")),
        ],
    ),
    meaning=[total(P(x), x) == 1, total(Q(x), x) == 1],
    breaks=[
        edit("drop Q", "q", instance(s=1, E=1, h=1, X=[0], n=0, P={0: 1}, Q={0: 1}), {y: 0}),
    ],
)
