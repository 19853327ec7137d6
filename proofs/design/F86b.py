"""F86: of hash values and bits those that speak for the same of two inputs are one.

Symbols:
E: e^epsilon of the channel
r: its root
g: the values of a hash function, of which two inputs have the same with chance 1/g
"""
from pfverify.proof.language import *

E, r, g = positive("E"), positive("r"), constants("g")
H = g * (E + g - 1)
told = E / H + (g - 1) * E / H == E / (E + g - 1)
whole = E / H + (g - 1) * E / H + (g - 1) / H + (g - 1)**2 / H == 1
symmetric = r / (1 + r) * (1 - 1 / (1 + r)) == r * r * (1 / (1 + r) * (1 - r / (1 + r)))
optimised = 1/2 * (1 - 1 / (E + 1)) == E * (1 / (E + 1) * (1 - 1/2))

Claim(
    id="F86b", source=paper("design", "F86"), result=PROVED,
    words="Hash values speak for both of two inputs, one or neither with these masses, which sum "
          "to 1; and of bits the input alone is told e^epsilon times as often as the other alone",
    printed=proved(
        given={"values": 2 <= g},
        example=instance(E=2, r=2, g=2),
        statement=told and whole and symmetric and optimised,
        steps=[
            step("told", told, identity()),
            step("whole", whole, identity()),
            step("symmetric", symmetric, identity()),
            step("optimised", optimised, identity()),
            step("all", told and whole and symmetric and optimised,
                 arithmetic("told", "whole", "symmetric", "optimised")),
        ],
    ),
    breaks=[edit("H = g * (E + g)", "told")],
)
