"""F47: Laplace noise given |N| <= A, for two points: the published A meets delta with equality.

p and q are the densities of the releases of 0 and of D, with the scale theta = D/epsilon.

Symbols:
theta: the scale
A: the bound of the noise
D: the distance of the two points
delta: the target
y: an output
"""
from pfverify.proof.language import *

(theta, A, D, delta), y = positive("theta A D delta"), variables("y")
whole, E = 2 * theta * (1 - exp(-A / theta)), exp(D / theta)
p = exp(-abs(y) / theta) / whole * indicator(y + A) * indicator(A - y)
q = exp(-abs(y - D) / theta) / whole * indicator(y - D + A) * indicator(D + A - y)
rise = exp(y / theta) / whole
mass = integral(rise, y, -A, D - A)
bound = exp(A / theta) == 1 + (E - 1) / (2 * delta)  # A = theta log(1 + (e^epsilon - 1)/(2 delta))
before = implies(-A <= y and y < D - A, p == rise and q == 0)
elsewhere = implies(y < -A, p == 0) and implies(D - A <= y, p <= E * q)

Claim(
    id="F47", source=paper("design", "F47"), result=PROVED,
    words="Truncated Laplace noise of scale D/epsilon with the published bound A, delta <= 1/2, "
          "has for the points 0 and D the excess p - e^epsilon q = p > 0 only from -A to D - A, "
          "and there p has the mass delta: the bound is met with equality",
    printed=proved(
        given={"A": bound, "delta": delta <= 1/2},
        example=instance(theta=1/log(2), A=1, D=1, delta=1/2),
        statement=mass == delta and before and elsewhere,
        steps=[
            step("far", A >= D, arithmetic("A", "delta", hints=[exp(A / theta), exp(D / theta)])),
            step("whole", whole > 0, arithmetic(hints=[exp(-A / theta)])),
            step("before", before, arithmetic("far", "whole")),
            step("elsewhere", elsewhere, arithmetic("far", "whole")),
            step("mass", mass == (exp((D - A) / theta) - exp(-A / theta)) * theta / whole,
                 antiderivative(theta * rise)),
            step("value", mass == delta, arithmetic("mass", "whole", "A")),
            step("all", mass == delta and before and elsewhere,
                 arithmetic("before", "elsewhere", "value")),
        ],
    ),
    breaks=[
        edit("drop A", "far", instance(theta=1, A=1, D=2, delta=1/4)),
        edit("drop delta", "far"),
        edit("E = exp(D / (2 * theta))", "far"),
    ],
)
