"""F86: of bits, sets and hash values the outputs that speak for the same of two inputs are one.

They have one ratio under the two inputs, so that to join them changes no divergence (F84), and
their number times their mass is that of their class. Renaming inputs takes any two to any two.

Symbols:
E: e^epsilon of the channel, r its root
G: e to the epsilon of a claim
k, d: inputs, and how many of them a set has
b: the number of sets that have a given input
g: the values of a hash function
neither, other, own, both: masses of the outputs that speak for neither of two inputs, for the one
    that is not the input alone, for the input alone, and for both
"""
from pfverify.proof.language import *

E, r, G, b = positive("E"), positive("r"), positive("G"), positive("b")
k, d, g = constants("k d g")
neither, other, own, both = constants("neither other own both")
# sets: how many have both inputs, one of them alone, none; and the mass of one with the input
having = E / (b * E + b * (k - d) / d)
D = d * E + (k - d)
sets_both = (d - 1) / (k - 1) * b * having == d * (d - 1) * E / ((k - 1) * D)
sets_own = (k - d) / (k - 1) * b * having == d * (k - d) * E / ((k - 1) * D)
sets_other = (k - d) / (k - 1) * b * (having / E) == d * (k - d) / ((k - 1) * D)
sets_neither = ((k - d) * (k - d - 1) / (d * (k - 1)) * b * (having / E)
                == (k - d) * (k - d - 1) / ((k - 1) * D))
sets = sets_both and sets_own and sets_other and sets_neither
# hash values: both inputs have one value with chance 1/g
H = E + g - 1
told = E / (g * H) + (g - 1) * E / (g * H) == E / H
whole = E / (g * H) + (g - 1) * E / (g * H) + (g - 1) / (g * H) + (g - 1)**2 / (g * H) == 1
# bits: that of the input and that of the other, symmetric and with chance 1/2
symmetric = r / (1 + r) * (1 - 1 / (1 + r)) == r * r * (1 / (1 + r) * (1 - r / (1 + r)))
optimised = 1/2 * (1 - 1 / (E + 1)) == E * (1 / (E + 1) * (1 - 1/2))
excess = (maximum(neither - G * neither, 0) + maximum(own - G * other, 0)
          + maximum(other - G * own, 0) + maximum(both - G * both, 0))
back = (maximum(neither - G * neither, 0) + maximum(other - G * own, 0)
        + maximum(own - G * other, 0) + maximum(both - G * both, 0))

Claim(
    id="F86", source=paper("design", "F86"), result=PROVED,
    words="Sets of d of k inputs, hash values and bits speak for neither of two inputs, one of "
          "them or both with these masses; those that speak for the input alone have e^epsilon "
          "times the mass of those that speak for the other alone; and the excess of one input "
          "against another is the same in both orders",
    printed=proved(
        given={"set": 1 <= d, "inputs": d + 1 <= k, "values": 2 <= g},
        example=instance(E=2, r=2, G=3/2, b=1, k=3, d=1, g=2,
                         neither=1/4, other=1/4, own=1/2, both=0),
        statement=sets and told and whole and symmetric and optimised and excess == back,
        steps=[
            step("both", sets_both, identity()),
            step("own", sets_own, identity()),
            step("other", sets_other, identity()),
            step("neither", sets_neither, identity()),
            step("told", told, identity()),
            step("whole", whole, identity()),
            step("symmetric", symmetric, identity()),
            step("optimised", optimised, identity()),
            step("orders", excess == back, identity()),
            step("all", sets and told and whole and symmetric and optimised and excess == back,
                 arithmetic("both", "own", "other", "neither", "told", "whole", "symmetric",
                            "optimised", "orders")),
        ],
    ),
    breaks=[
        edit("having = E / (b * E + b * (k - d))", "both"),
        edit("H = E + g", "whole"),
    ],
)
