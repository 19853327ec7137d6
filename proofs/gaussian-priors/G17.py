"""Corollary 1 (b): hiding what a user reports needs independence only.

The sum of the other users has any law.
"""
from pfverify.proof.language import *
from settings.events import *

(a, a_other), y, x = constants("a a_other"), variables("y"), draws("x", "others")
p, q = mean(exp(-abs(y - x - a) / b), x), mean(exp(-abs(y - x - a_other) / b), x)

Claim(
    id="G17", source=paper("gaussian-priors", "Corollary 1 (b)"), result=PROVED,
    words="If user k is independent of the others, b >= |a - a'|/epsilon gives p <= e^epsilon q "
          "everywhere for Z_k = a against Z_k = a', in both orders",
    printed=proved(
        given={"(10)": b >= abs(a - a_other) / epsilon},
        example=instance(b=1, epsilon=1, a=0, a_other=1, others=law({0: 1/2, 3: 1/2})),
        statement=p <= E * q and q <= E * p,
        steps=[
            step("translation", p <= E * q and q <= E * p, theorem(
                "G13", {"m_i": a, "m_j": a_other, "P": "others"}, "(10)")),
        ],
    ),
    breaks=[
        edit("drop (10)", "translation", instance(
            b=1/2, epsilon=1, a=0, a_other=1, others=law({0: 1})), {y: 0}),
    ],
)
