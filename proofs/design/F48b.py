"""F48: with discrete Gaussian noise some epsilon bounds the loss if Q has both of the end atoms.

Symbols:
s: the standard deviation
y: an output
x: an atom
o, n: the smallest and the largest atom
P, Q: masses of two priors
"""
from pfverify.proof.language import *

s, y = positive("s"), variables("y")
x, (o, n), (P, Q) = indices("x", "X"), member("o n", "X"), masses("P Q")
k = exp(-(y - x)**2 / (2 * s**2))
k_o, k_n, Q_o, Q_n = at(k, {x: o}), at(k, {x: n}), Q(o), Q(n)
p, q, c = total(P(x) * k, x), total(Q(x) * k, x), exp((n - o)**2 / (2 * s**2))
left, right, most = y < n, n <= y, c * total(P(x), x) * q
bounded = implies(right, p * Q_n <= most) and implies(left, p * Q_o <= most)
squares = implies(right, (y - n)**2 <= (y - x)**2) and implies(
    left, (y - o)**2 <= (y - x)**2 + (n - o)**2)

Claim(
    id="F48b", source=paper("design", "F48"), result=PROVED,
    words="With discrete Gaussian noise, o and n the smallest and the largest atom, p is at most "
          "e^((n-o)^2/(2 s^2))/Q(n) times q from n on, and before n that with Q(o): if Q has both "
          "atoms, some epsilon is enough at delta = 0",
    printed=proved(
        given={"ends": o <= x and x <= n},
        example=instance(s=1, X=[0, 1], o=0, n=1, P={0: 1/2, 1: 1/2}, Q={0: 1/4, 1: 3/4}),
        statement=bounded,
        steps=[
            step("squares", squares, arithmetic("ends")),
            step("k", implies(right, k <= c * k_n) and implies(left, k <= c * k_o),
                 arithmetic("squares")),
            step("p right", implies(right, p <= c * k_n * total(P(x), x)),
                 termwise(arithmetic("k"), x, weight=P(x))),
            step("p left", implies(left, p <= c * k_o * total(P(x), x)),
                 termwise(arithmetic("k"), x, weight=P(x))),
            step("a term", 0 <= Q(x) * k, arithmetic()),
            step("o", Q_o * k_o <= q, one_term("a term", {x: o})),
            step("n", Q_n * k_n <= q, one_term("a term", {x: n})),
            step("P", 0 <= total(P(x), x), termwise(arithmetic(), x)),
            step("right", implies(right, p * Q_n <= most), arithmetic("p right", "n", "P")),
            step("left", implies(left, p * Q_o <= most), arithmetic("p left", "o", "P")),
            step("all", bounded, arithmetic("right", "left")),
        ],
    ),
    breaks=[
        edit("drop ends", "squares", instance(
            s=1, X=[0, 9], o=0, n=0, P={0: 1/2, 9: 1/2}, Q={0: 1}), {y: 9}),
    ],
)
