"""F48: what discrete Gaussian noise has beyond a distance d: less than a geometric series.

Symbols:
w: the variance
d: the distance
v: any number
i, a, k: distances beyond it
o, n: the first and the last of them
"""
from pfverify.proof.language import *

w, d, v = positive("w"), constants("d"), variables("v")
(i, a, k), (o, n) = indices("i a k", "X"), member("o n", "X")  # d + 1, d + 2, ..., n
h, r = exp(-i**2 / (2 * w)), exp(-(2 * d + 1) / (2 * w))
power, rest = exp(-(i - d) * (2 * d + 1) / (2 * w)), exp(-(n - d) * (2 * d + 1) / (2 * w))
h_d, powers = exp(-d**2 / (2 * w)), total(power, i)

Claim(
    id="F48i", source=paper("design", "F48"), result=PROVED,
    words="The sum of e^(-i^2/(2 w)) over i = d + 1, ..., n is at most e^(-d^2/(2 w)) r/(1 - r), r "
          "= e^(-(2 d + 1)/(2 w)), for every n: a bound of the tail beyond d",
    printed=proved(
        given={"tail": is_chain([a, k], [o, n]), "first": o == d + 1, "d": 0 <= d},
        example=instance(w=1, d=1, X=[2, 3], o=2, n=3), statement=total(h, i) <= h_d * r / (1 - r),
        steps=[
            step("i", d + 1 <= i, arithmetic(use("tail", {k: i}), "first")),
            step("squares", d**2 + (i - d) * (2 * d + 1) <= i**2, arithmetic("i")),
            step("one", h <= h_d * power, arithmetic("squares")),
            step("sum", total(h, i) <= h_d * powers, integrate("one", i)),
            step("steps", total(-exp(-(i - d) * (2 * d + 1) / (2 * w))
                                + exp(-(i - 1 - d) * (2 * d + 1) / (2 * w)), i)
                 == exp(-(o - 1 - d) * (2 * d + 1) / (2 * w)) - rest, theorem("F10a", {
                     "h": 1, "f": maps(v, -exp(-(v - d) * (2 * d + 1) / (2 * w)))}, "tail")),
            step("o", exp(-(o - 1 - d) * (2 * d + 1) / (2 * w)) == 1, arithmetic("first")),
            step("powers", powers * (1 - r) == r * (1 - rest), arithmetic("steps", "o")),
            step("r", r < 1, arithmetic("d")),
            step("at most", powers <= r / (1 - r), arithmetic("powers", "r")),
            step("all", total(h, i) <= h_d * r / (1 - r), arithmetic("sum", "at most")),
        ],
    ),
    breaks=[
        edit("drop first", "i"),
        edit("drop d", "r"),
        edit("r = exp(-(2 * d + 2) / (2 * w))", "powers"),
    ],
)
