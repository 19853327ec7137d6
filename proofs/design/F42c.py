"""F42: what the ends of a gap, and the last point, count for the mass of Laplace noise there.

w_a(y) and w_b(y) are what the ends a and b count at y between them (F4c), T is e^(-(b - a)/theta).

Symbols:
theta: the scale
a, b: neighbouring points
y: an output
"""
from pfverify.proof.language import *

theta, (a, b), y = positive("theta"), constants("a b"), variables("y")
T, width = exp(-(b - a) / theta), exp((b - a) / theta) - exp(-(b - a) / theta)
rise, fall = exp((y - a) / theta), exp((b - y) / theta)
w_a, w_b = (fall - 1 / fall) / width / (2 * theta), (rise - 1 / rise) / width / (2 * theta)
of_a, of_b = integral(w_a, y, a, b), integral(w_b, y, a, b)
tail = integral(exp((y - a) / theta) / (2 * theta), y, -oo, a)
weight = (1 - T) / (2 * (1 + T))

Claim(
    id="F42c", source=paper("design", "F42"), result=PROVED,
    words="With the density 1/(2 theta) e^(-|y|/theta) each end of a gap between two neighbouring "
          "points counts (1 - T)/(2 (1 + T)), T = e^(-width/theta), and the last point 1/2 for all "
          "beyond it",
    printed=proved(
        given={"gap": a < b}, example=instance(theta=1, a=0, b=1),
        statement=of_a == weight and of_b == weight and tail == 1/2,
        steps=[
            step("width", width > 0, arithmetic("gap")),
            step("a", of_a == (exp((b - a) / theta) + T - 2) / (2 * width), antiderivative(
                -(fall + 1 / fall) / width / 2)),
            step("b", of_b == (exp((b - a) / theta) + T - 2) / (2 * width), antiderivative(
                (rise + 1 / rise) / width / 2)),
            step("same", (1 / T + T - 2) / (2 * width) == weight, arithmetic("width")),
            step("tail", tail == 1/2, antiderivative(exp((y - a) / theta) / 2)),
            step("all", of_a == weight and of_b == weight and tail == 1/2, arithmetic(
                "a", "b", "same", "tail")),
        ],
    ),
    breaks=[edit("drop gap", "width"), edit("weight = (1 - T) / (1 + T)", "same")],
)
