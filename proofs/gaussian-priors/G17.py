"""Corollary 1 (b): hiding what a user reports needs independence only.

The total stands for the mean over the sum of the other users, of any law.
"""
from pfverify.proof.language import *

b, epsilon = positive("b epsilon")
a, a_other = constants("a a_other")
y = variables("y")
x = indices("x", "X")
others = masses("others")
E = exp(epsilon)
one, other = exp(-abs(y - x - a) / b), exp(-abs(y - x - a_other) / b)
p, q = total(others(x) * one, x), total(others(x) * other, x)

Claim(
    id="G17", source=paper("gaussian-priors", "Corollary 1 (b)"), result=PROVED,
    words="If user k is independent of the others, b >= |a - a'|/epsilon gives p <= e^epsilon q "
          "everywhere for Z_k = a against Z_k = a', in both orders",
    printed=proved(
        given={"(10)": b >= abs(a - a_other) / epsilon},
        example=instance(b=1, epsilon=1, a=0, a_other=1, X=[0, 3], others={0: 1/2, 3: 1/2}),
        statement=p <= E * q and q <= E * p,
        steps=[
            step("distance", abs(a - a_other) / b <= epsilon, arithmetic("(10)")),
            step("one", one <= E * other, arithmetic("distance")),
            step("other", other <= E * one, arithmetic("distance")),
            step("p", p <= E * q, integrate("one", x, weight=others(x))),
            step("q", q <= E * p, integrate("other", x, weight=others(x))),
            step("both", p <= E * q and q <= E * p, arithmetic("p", "q")),
        ],
    ),
)
