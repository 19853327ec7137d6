"""Corollary 1 (b): hiding what a user reports needs independence only.

The sum of the other users has any law.
"""
from pfverify.proof.language import *

b, epsilon = positive("b epsilon")
a, a_other = constants("a a_other")
y = variables("y")
x = draws("x", "others")
E = exp(epsilon)
one, other = exp(-abs(y - x - a) / b), exp(-abs(y - x - a_other) / b)
p, q = mean(one, x), mean(other, x)

Claim(
    id="G17", source=paper("gaussian-priors", "Corollary 1 (b)"), result=PROVED,
    words="If user k is independent of the others, b >= |a - a'|/epsilon gives p <= e^epsilon q "
          "everywhere for Z_k = a against Z_k = a', in both orders",
    printed=proved(
        given={"(10)": b >= abs(a - a_other) / epsilon},
        example=instance(b=1, epsilon=1, a=0, a_other=1, others=law({0: 1/2, 3: 1/2})),
        statement=p <= E * q and q <= E * p,
        steps=[
            step("distance", abs(a - a_other) / b <= epsilon, arithmetic("(10)")),
            step("one", one <= E * other, arithmetic("distance")),
            step("other", other <= E * one, arithmetic("distance")),
            step("p", p <= E * q, integrate("one", x)),
            step("q", q <= E * p, integrate("other", x)),
            step("both", p <= E * q and q <= E * p, arithmetic("p", "q")),
        ],
    ),
    breaks=[
        edit("drop (10)", "distance", instance(
            b=1/2, epsilon=1, a=0, a_other=1, others=law({0: 1})), {y: 0}),
    ],
)
