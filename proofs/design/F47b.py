"""F47: truncated Laplace noise on two points: from their distance on delta falls as A grows.

p and q are the densities of the releases of 0 and of D, u is e^epsilon. K is the integral over
[0, D] of the positive part of e^(-y/theta) - u e^((y-D)/theta), over 2 theta: A is not in it.

Symbols:
theta: the scale
A, L: a bound of the noise, and a larger one
D: the distance of the two points
u: e^epsilon
K: the integral above
y: an output
"""
from pfverify.proof.language import *

(theta, A, L, D, u), K, y = positive("theta A L D u"), constants("K"), variables("y")
r = exp(D / theta)
a = exp(-A / theta)
whole = 1 - a
kernel = 1 / (2 * theta * whole)
p = kernel * exp(-abs(y) / theta) * indicator(y + A) * indicator(A - y)
q = kernel * exp(-abs(y - D) / theta) * indicator(y - D + A) * indicator(D + A - y)
rise = kernel * exp(y / theta)
alone, left = integral(rise, y, -A, D - A), integral(rise, y, D - A, 0)
first = implies(-A <= y and y < D - A, p == rise and q == 0)
second = implies(D - A <= y and y <= 0, p == rise and q == rise / r)
third = implies(0 <= y and y <= D, p == kernel * exp(-y / theta)
                and q == kernel * exp((y - D) / theta))
outside = implies(D < y, p <= u * q) and implies(y < -A, p == 0)
pieces = first and second and third and outside
# the integral of [p - u q]_+, piece by piece
excess = ((a * r - a) / 2 + maximum(1 - u / r, 0) * (1 - a * r) / 2 + K) / whole
sizes = alone == (a * r - a) / (2 * whole) and left == (1 - a * r) / (2 * whole)
with_L, b = at(excess, {A: L}), exp(-L / theta)

Claim(
    id="F47b", source=paper("design", "F47"), result=PROVED,
    words="For two points D apart and bounds A <= L that are at least D, delta at epsilon is ((a r "
          "- a)/2 + [1 - u/r]_+ (1 - a r)/2 + K)/(1 - a), a = e^(-A/theta), r = e^(D/theta), u = "
          "e^epsilon, and not larger with L: the private bounds are those from a least one on",
    printed=proved(
        given={"far": D <= A, "larger": A <= L, "u": 1 <= u, "K": 0 <= K},
        example=instance(theta=1/log(2), A=1, L=2, D=1, u=2, K=1/10),
        statement=pieces and sizes and with_L <= excess,
        steps=[
            step("whole", whole > 0, arithmetic(hints=[a])),
            step("first", first, arithmetic("far", "whole")),
            step("second", second, arithmetic("far", "whole")),
            step("third", third, arithmetic("far", "whole")),
            step("outside", outside, arithmetic("far", "u", "whole")),
            step("alone", alone == (at(rise, {y: D - A}) - at(rise, {y: -A})) * theta,
                 antiderivative(theta * rise)),
            step("left", left == (at(rise, {y: 0}) - at(rise, {y: D - A})) * theta,
                 antiderivative(theta * rise)),
            step("sizes", sizes, arithmetic("alone", "left", "whole")),
            step("b", 0 < b and b <= a and a * r <= 1 and 1 <= r,
                 arithmetic("far", "larger", hints=[a, b, r])),
            step("falls", with_L <= excess, arithmetic("b", "whole", "u", "K")),
            step("all", pieces and sizes and with_L <= excess,
                 arithmetic("first", "second", "third", "outside", "sizes", "falls")),
        ],
    ),
    breaks=[
        edit("drop larger", "b", instance(theta=1/log(2), A=2, L=1, D=1, u=2, K=0)),
    ],
)
