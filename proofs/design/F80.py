"""F80: the masses of truncated discrete Laplace noise: at most n steps, and they sum to 1.

Symbols:
theta: the scale
h: the step of the lattice
v: any number
i, a, k: numbers of steps
o, n: the least and the largest number of steps
"""
from pfverify.proof.language import *

(theta, h), v = positive("theta h"), variables("v")
(i, a, k), (o, n) = indices("i a k", "X"), member("o n", "X")  # steps: 0, 1, ..., n
t, rest = exp(-h / theta), exp(-(n + 1) * h / theta)
power, after = exp(-i * h / theta), exp(-(i + 1) * h / theta)
whole = 1 + t - 2 * rest
mass, first = (power - after) / whole, (1 - t) / whole
shape = mass == first * power

Claim(
    id="F80", source=paper("design", "F80"), result=PROVED,
    words="With t = e^(-h/theta) and a largest number n of steps, the masses (t^k - t^(k+1))/(1 + "
          "t - 2 t^(n+1)) of k <= n steps are in proportion to t^k, and that of 0 with twice all "
          "others is 1: discrete Laplace noise given that it is at most n h in size",
    printed=proved(
        given={"steps": is_chain([a, k], [o, n]), "first": o == 0, "some": 1 <= n},
        example=instance(theta=1/log(2), h=1, X=[0, 1, 2], o=0, n=2),
        statement=shape and 2 * total(mass, i) - first == 1,
        steps=[
            step("fall", total(-exp(-(i + 1) * h / theta) + exp(-i * h / theta), i)
                 == exp(-o * h / theta) - rest, theorem("F10a", {
                     "h": 1, "f": maps(v, -exp(-(v + 1) * h / theta))}, "steps")),
            step("o", exp(-o * h / theta) == 1, arithmetic("first")),
            step("t", t < 1, arithmetic()),
            step("n", 0 <= (n - 1) * h, arithmetic("some")),
            step("rest", rest < t, arithmetic("n", "t", hints=[exp((n - 1) * h / theta)])),
            step("whole", 0 < whole, arithmetic("rest", "t")),
            step("shape", shape, arithmetic("whole")),
            step("one", power - after == whole * mass, arithmetic("whole")),
            step("sum", total(power - after, i) == whole * total(mass, i), integrate("one", i)),
            step("all", shape and 2 * total(mass, i) - first == 1,
                 arithmetic("shape", "sum", "fall", "o", "whole")),
        ],
    ),
    breaks=[
        edit("drop some", "n"),
        edit("drop first", "o"),
        edit("whole = 1 + t - rest", "all"),
    ],
)
