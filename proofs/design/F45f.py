"""F45: the mass that Laplace noise gives to all outputs beyond the atoms of a prior.

Symbols:
theta: the scale
c: where the half line begins
y: an output
x: an atom
P: the masses of a prior
"""
from pfverify.proof.language import *

theta, c, y = positive("theta"), constants("c"), variables("y")
x, P = indices("x", "X"), masses("P")
k, right = exp(-abs(y - x) / theta) / (2 * theta), exp((x - y) / theta) / (2 * theta)
beyond = integral(k, y, c, oo)
mass = total(P(x) * beyond, x)

Claim(
    id="F45f", source=paper("design", "F45"), result=PROVED,
    words="The mass of all outputs from c on, no atom after c, is the sum of P(x) "
          "e^(-(c - x)/theta)/2 (and mirrored)",
    printed=proved(
        given={"last atom": x <= c}, example=instance(theta=1, c=1, X=[0], P={0: 1}),
        statement=mass == total(P(x) * exp((x - c) / theta) / 2, x),
        steps=[
            step("side", implies(c <= y, k == right), arithmetic("last atom")),
            step("right", integral(right, y, c, oo) == exp((x - c) / theta) / 2,
                 antiderivative(-theta * right)),
            step("sides", beyond == integral(right, y, c, oo), integrate(
                "side", y, between=(c, oo))),
            step("mass", mass == total(P(x) * exp((x - c) / theta) / 2, x), termwise(
                arithmetic("sides", "right"), x, weight=P(x))),
        ],
    ),
    meaning=[total(P(x), x) == 1],
    breaks=[
        edit("drop last atom", "side", instance(
            theta=1, c=0, X=[1], P={1: 1}), {y: 0, x: 1}),
        edit("right = exp((x - y) / theta) / theta", "side"),
    ],
)
