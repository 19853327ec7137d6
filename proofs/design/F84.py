"""F84: outputs with the same two masses count as one, and what is alike under both is left out.

Symbols:
E: e^epsilon
n: how many outputs have the masses p and q
same, other: the masses of randomized response at the true input, and at each other one
R: the law of further outputs, independent and the same under both
i: one of them
"""
from pfverify.proof.language import *

E, n = positive("E"), positive("n")
p, q, same, other = constants("p q same other")
i, R = indices("i", "X"), masses("R")
excess = maximum(p - E * q, 0)
joined = maximum(n * p - E * (n * q), 0) == n * excess
each = implies(p <= E * q, n * p <= E * (n * q)) and implies(n * p <= E * (n * q), p <= E * q)
left_out = total(maximum(p * R(i) - E * (q * R(i)), 0), i) == excess
# the outputs x, x' and n others, under x against x', and under x' against x
there = (maximum(same - E * other, 0) + maximum(other - E * same, 0)
         + n * maximum(other - E * other, 0))
back = (maximum(other - E * same, 0) + maximum(same - E * other, 0)
        + n * maximum(other - E * other, 0))

Claim(
    id="F84", source=paper("design", "F84"), result=PROVED,
    words="n outputs with masses p and q have the excess of one with n p and n q, which is within "
          "the ratio where each of them is; outputs that are independent and alike under both "
          "change no excess; and under randomized response that of one input against another is "
          "the same in both orders, whatever the inputs are called",
    printed=proved(
        given={"law": total(R(i), i) == 1},
        example=instance(E=2, n=3, p=1, q=1, same=1/2, other=1/4, X=[0, 1], R={0: 1/2, 1: 1/2}),
        statement=joined and each and left_out and there == back,
        steps=[
            step("joined", joined, arithmetic()),
            step("each", each, arithmetic()),
            step("one", maximum(p * R(i) - E * (q * R(i)), 0) == excess * R(i), arithmetic()),
            step("sum", total(maximum(p * R(i) - E * (q * R(i)), 0), i)
                 == excess * total(R(i), i), integrate("one", i)),
            step("left out", left_out, arithmetic("sum", "law")),
            step("pairs", there == back, identity()),
            step("all", joined and each and left_out and there == back,
                 arithmetic("joined", "each", "left out", "pairs")),
        ],
    ),
    breaks=[
        edit("joined = maximum(p - E * (n * q), 0) == n * excess", "joined"),
        edit("drop law", "left out"),
    ],
)
