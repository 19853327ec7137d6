"""F7: the tail of a normal prior's release is a bound for it at every output."""
from pfverify.proof.language import *

(b, s), m = positive("b s"), constants("m")
y, x = variables("y x")
A = exp(s**2 / (2 * b**2) - (y - m) / b) * normal_cdf((y - m) / s - s / b)
B = exp(s**2 / (2 * b**2) + (y - m) / b) * normal_cdf(-(y - m) / s - s / b)
p, M = (A + B) / (2 * b), exp(m / b + s**2 / (2 * b**2))  # p: the density, as in F6
scaled = 2 * b * exp(y / b) * p
rise = derivative(scaled, y)

Claim(
    id="F7b", source=paper("design", "F7"), result=PROVED,
    words="2b e^(y/b) p(y) <= e^(m/b + s^2/2b^2) at every y, for the density p of N(m, s^2) with "
          "Laplace(b) noise: the left side grows with y, and the right side is its limit",
    printed=proved(
        statement=scaled <= M,
        steps=[
            step("rise", 0 <= rise, arithmetic()),
            step("limit", integral(rise, y, x, oo) == M - at(scaled, {y: x}),
                 antiderivative(scaled)),
            step("left", 0 <= integral(rise, y, x, oo), integrate("rise", y, between=(x, oo))),
            step("below", scaled <= M, arithmetic(use("limit", {x: y}), use("left", {x: y}))),
        ],
    ),
    breaks=[
        edit("M = exp(m / b)", "limit"),
        edit("statement = scaled <= exp(m / b)", "the statement", instance(b=1, s=1, m=0), {y: 9}),
    ],
)
