"""F86: of sets those that speak for the same of two inputs are one.

They have one ratio under the two inputs, so that to join them changes no divergence (F84), and
their number times their mass is that of their class. Renaming inputs takes any two to any two.

Symbols:
E: e^epsilon of the channel
G: e to the epsilon of a claim
k, d: inputs, and how many of them a set has
b: the number of sets that have a given input
other, own: masses of the outputs that speak for the other input alone, and for the input alone
"""
from pfverify.proof.language import *

E, G, b = positive("E"), positive("G"), positive("b")
k, d = constants("k d")
other, own = constants("other own")
having = E / (b * E + b * (k - d) / d)
D = (k - 1) * (d * E + (k - d))
at_both = (d - 1) / (k - 1) * b * having == d * (d - 1) * E / D
at_own = (k - d) / (k - 1) * b * having == d * (k - d) * E / D
at_other = (k - d) / (k - 1) * b * (having / E) == d * (k - d) / D
at_none = (k - d) * (k - d - 1) / (d * (k - 1)) * b * (having / E) == (k - d) * (k - d - 1) / D
sets = at_both and at_own and at_other and at_none
orders = (maximum(own - G * other, 0) + maximum(other - G * own, 0)
          == maximum(other - G * own, 0) + maximum(own - G * other, 0))

Claim(
    id="F86", source=paper("design", "F86"), result=PROVED,
    words="Sets of d of k inputs have both of two inputs, one or neither with these masses, "
          "e^epsilon times as often the input alone as the other; and the excess is the same in "
          "both orders",
    printed=proved(
        given={"set": 1 <= d, "inputs": d + 1 <= k},
        example=instance(E=2, G=3/2, b=1, k=3, d=1, other=1/4, own=1/2),
        statement=sets and orders,
        steps=[
            step("both", at_both, identity()),
            step("own", at_own, identity()),
            step("other", at_other, identity()),
            step("none", at_none, identity()),
            step("sets", sets, arithmetic("both", "own", "other", "none")),
            step("orders", orders, identity()),
            step("all", sets and orders, arithmetic("sets", "orders")),
        ],
    ),
    breaks=[edit("having = E / (b * E + b * (k - d))", "both")],
)
