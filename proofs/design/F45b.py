"""F45: between two neighbouring atoms the ratio of cell masses moves one way (Laplace noise).

Symbols:
theta: the scale
a, b: two neighbouring atoms
y, z: outputs between them
x: an atom
P, Q: masses of two priors
"""
from pfverify.proof.language import *

theta, (a, b) = positive("theta"), constants("a b")
(y, z), x, (P, Q) = variables("y z"), indices("x", "X"), masses("P Q")
k, before = exp(-abs(y - x) / theta), indicator(a - x)  # x <= a
p, q = total(P(x) * k, x), total(Q(x) * k, x)
A, C = total(P(x) * exp(-x / theta) * (1 - before), x), total(
    Q(x) * exp(-x / theta) * (1 - before), x)
B, D = total(P(x) * exp(x / theta) * before, x), total(Q(x) * exp(x / theta) * before, x)
ordered, inside = a <= y and y <= z and z <= b, a <= y and y <= b
turn = exp((z - y) / theta) - exp((y - z) / theta)
cross = at(p, {y: z}) * q - p * at(q, {y: z})

Claim(
    id="F45b", source=paper("design", "F45"), result=PROVED,
    words="For y <= z between two neighbouring atoms p(z) q(y) - p(y) q(z) is A D - B C times a "
          "factor >= 0, so p/q, and with F45 the ratio of masses of cells in order of their "
          "middles, is monotone there",
    printed=proved(
        given={"no atom inside": x <= a or b <= x},
        example=instance(theta=1, a=0, b=1, X=[0, 1], P={0: 1}, Q={1: 1}),
        statement=implies(ordered, cross == (A * D - B * C) * turn and turn >= 0),
        steps=[
            step("side", implies(inside, k == before * exp((x - y) / theta)
                                 + (1 - before) * exp((y - x) / theta)),
                 arithmetic("no atom inside")),
            step("p", implies(inside, p == A * exp(y / theta) + B * exp(-y / theta)),
                 termwise(arithmetic("side"), x, weight=P(x))),
            step("q", implies(inside, q == C * exp(y / theta) + D * exp(-y / theta)),
                 termwise(arithmetic("side"), x, weight=Q(x))),
            step("turn", implies(ordered, turn >= 0),
                 arithmetic(hints=[exp((z - y) / theta), exp((y - z) / theta)])),
            step("all", implies(ordered, cross == (A * D - B * C) * turn and turn >= 0), arithmetic(
                "p", "q", use("p", {y: z}), use("q", {y: z}), "turn")),
        ],
    ),
    meaning=[total(P(x), x) == 1, total(Q(x), x) == 1],
    breaks=[
        edit("drop no atom inside", "side", instance(
            theta=1, a=0, b=2, X=[0, 1], P={1: 1}, Q={0: 1}), {y: 0, z: 2}),
    ],
)
