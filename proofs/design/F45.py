"""F45: the mass that Laplace noise gives to a cell without an atom of the priors.

Symbols:
theta: the scale
low, high: the ends of the cell
y: an output
x: an atom
P: the masses of a prior
"""
from pfverify.proof.language import *

theta, (low, high) = positive("theta"), constants("low high")
y, x, P = variables("y"), indices("x", "X"), masses("P")
k, before = exp(-abs(y - x) / theta) / (2 * theta), indicator(low - x)  # x <= low
left, right = exp((x - y) / theta) / (2 * theta), exp((y - x) / theta) / (2 * theta)
middle, half = (low + high) / 2, (high - low) / (2 * theta)
S, cell = theta * (exp(half) - exp(-half)), integral(k, y, low, high)  # S: 2 theta sinh(half)
A = total(P(x) * exp(-x / theta) * (1 - before), x) / 2  # of the atoms from `high` on
B = total(P(x) * exp(x / theta) * before, x) / 2
up, down = exp(high / theta) - exp(low / theta), exp(-low / theta) - exp(-high / theta)
split, primitive = before * left + (1 - before) * right, theta * (right - before * (left + right))
parts = at(primitive, {y: high}) - at(primitive, {y: low})
mass, k_middle = total(P(x) * cell, x), at(k, {y: middle})
formulas = mass == A * up + B * down and mass == S * total(P(x) * k_middle, x)

Claim(
    id="F45", source=paper("design", "F45"), result=PROVED,
    words="The mass of a cell [low, high) without an atom inside is A (e^(high/theta) - "
          "e^(low/theta)) + B (e^(-low/theta) - e^(-high/theta)), and 2 theta sinh((high - low)/(2 "
          "theta)) > 0 times the density at its middle",
    printed=proved(
        given={"cell": low < high, "no atom inside": x <= low or high <= x},
        example=instance(theta=1, low=1/2, high=3/2, X=[0], P={0: 1}), statement=formulas and S > 0,
        steps=[
            step("side", implies(low <= y and y <= high, k == split), arithmetic("no atom inside")),
            step("sides", cell == integral(split, y, low, high), integrate(
                "side", y, using=["cell"], between=(low, high))),
            step("parts", integral(split, y, low, high) == parts, antiderivative(primitive)),
            step("sums", mass == A * up + B * down, termwise(
                arithmetic("sides", "parts"), x, weight=P(x))),
            step("at the middle", parts == S * k_middle,
                 arithmetic("cell", use("side", {y: middle}))),
            step("middle", mass == S * total(P(x) * k_middle, x), termwise(
                arithmetic("sides", "parts", "at the middle"), x, weight=P(x))),
            step("all", formulas and S > 0, arithmetic(
                "sums", "middle", "cell", hints=[exp(half), exp(-half)])),
        ],
    ),
    meaning=[total(P(x), x) == 1],
    breaks=[
        edit("drop no atom inside", "side"),
        edit("S = theta * (exp(half) - 1)", "at the middle"),
    ],
)
