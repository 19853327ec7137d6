"""F84: outputs with the same two masses count as one, and names of outputs do not matter.

Symbols:
E: e^epsilon
n: how many outputs have the masses p and q
same, other: the masses of randomized response at the true input, and at each other one
"""
from pfverify.proof.language import *

E, n = positive("E"), positive("n")
p, q, same, other = constants("p q same other")
joined = maximum(n * p - E * (n * q), 0) == n * maximum(p - E * q, 0)
each = implies(p <= E * q, n * p <= E * (n * q)) and implies(n * p <= E * (n * q), p <= E * q)
# the outputs x, x' and n others, under x against x', and under x' against x
there = (maximum(same - E * other, 0) + maximum(other - E * same, 0)
         + n * maximum(other - E * other, 0))
back = (maximum(other - E * same, 0) + maximum(same - E * other, 0)
        + n * maximum(other - E * other, 0))

Claim(
    id="F84", source=paper("design", "F84"), result=PROVED,
    words="n outputs with masses p and q have the excess of one with n p and n q, which is within "
          "the ratio where each of them is; and under randomized response the excess of one input "
          "against another is the same for all pairs and both orders",
    printed=proved(
        given={},
        example=instance(E=2, n=3, p=1, q=0, same=1/2, other=1/4),
        statement=joined and each and there == back,
        steps=[
            step("joined", joined, arithmetic()),
            step("each", each, arithmetic()),
            step("pairs", there == back, identity()),
            step("all", joined and each and there == back, arithmetic("joined", "each", "pairs")),
        ],
    ),
    breaks=[edit("joined = maximum(p - E * (n * q), 0) == n * maximum(p - E * q, 0)", "joined")],
)
