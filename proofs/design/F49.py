"""F49: the masses of Laplace noise that is wrapped after it was added: u modulo m.

From an atom d before u, 0 <= d < m, u is reached by d + k m and by -(m - d) - k m, for every k.

Symbols:
theta: the scale
m: the modulus
d: how far the point is after the atom
v: any number
t: how near the limit is to be
i, a, k: turns
o, n: the first and the last turn
"""
from pfverify.proof.language import *

(theta, m), d, (v, t) = positive("theta m"), constants("d"), variables("v t")
(i, a, k), (o, n) = indices("i a k", "X"), member("o n", "X")  # turns: 0, 1, ..., n
there, back = exp(-abs(d + i * m) / theta), exp(-abs(d - (i + 1) * m) / theta)
turn, once = exp(-m / theta), exp(-d / theta) + exp(-(m - d) / theta)
rest, whole = exp(-(n + 1) * m / theta), once / (1 - turn)
powers, wrapped = total(exp(-i * m / theta), i), total(there + back, i)
far = 0 < t and whole * theta <= n * m * t
sums, limit = wrapped == whole * (1 - rest), implies(far, wrapped <= whole and whole <= wrapped + t)

Claim(
    id="F49", source=paper("design", "F49"), result=PROVED,
    words="e^(-|d + k m|/theta), summed over the k from -n-1 to n, 0 <= d < m, is w = "
          "(e^(-d/theta) + e^(-(m-d)/theta))/(1 - e^(-m/theta)) times 1 - e^(-(n+1) m/theta); "
          "that is at most t below w from n = w theta/(m t) on, for every t > 0: summed "
          "over all k it is w",
    printed=proved(
        given={"turns": is_chain([a, k], [o, n]), "first": o == 0, "d": 0 <= d and d < m},
        example=instance(theta=1, m=2, d=1, X=[0, 1], o=0, n=1),
        statement=sums and limit,
        steps=[
            step("steps", total(-exp(-(i + 1) * m / theta) + exp(-i * m / theta), i)
                 == exp(-o * m / theta) - rest, theorem("F10a", {
                     "h": 1, "f": maps(v, -exp(-(v + 1) * m / theta))}, "turns")),
            step("o", exp(-o * m / theta) == 1, arithmetic("first")),
            step("powers", powers * (1 - turn) == 1 - rest, arithmetic("steps", "o")),
            step("i", 0 <= i, arithmetic(use("turns", {k: i}), "first")),
            step("far", 0 <= i * m, arithmetic("i")),
            step("one", there + back == once * exp(-i * m / theta), arithmetic("far", "d")),
            step("wrapped", wrapped == once * powers, integrate("one", i)),
            step("turn", turn < 1, arithmetic()),
            step("sums", sums, arithmetic("powers", "wrapped", "turn")),
            step("n", 0 <= n * m, arithmetic(use("far", {i: n}))),
            step("rest", rest * (n * m / theta) <= 1 and 0 <= rest and rest <= 1, arithmetic(
                "n", hints=[exp(n * m / theta), exp((n + 1) * m / theta)])),
            step("whole", 0 < whole, arithmetic("turn")),
            step("limit", limit, arithmetic("sums", "rest", "whole")),
            step("all", sums and limit, arithmetic("sums", "limit")),
        ],
    ),
    breaks=[
        edit("drop d", "one", instance(theta=1, m=1, d=2, X=[0], o=0, n=0)),
        edit("drop first", "o"),
        edit("far = 0 < t", "limit"),
    ],
)
