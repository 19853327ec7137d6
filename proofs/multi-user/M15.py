"""Remark 1: a user who is absent and one who reports 0 leave the same sum.

So it is of the sum: f_i(absent) = 0 for a separable query, with no count of the users beside it.
"""
from pfverify.proof.language import *
from settings.users import *

Claim(
    id="M15", source=paper("multi-user", "Remark 1"), result=PROVED,
    words="Hiding whether a user reports a_i or is absent is hiding whether he reports a_i or 0",
    printed=proved(
        given={"b_i = 0": b(i) == 0},
        example=instance(theta=5, epsilon=1, Users=[1], a={1: 5}, b={1: 0}, Rest=law({3: 1})),
        statement=from_b == absent and iff(private_a, private_ab),
        steps=[
            step("density", from_b == absent, termwise(arithmetic("b_i = 0"), r)),
            step("hides", iff(private_a, private_ab), arithmetic("density")),
        ],
    ),
    breaks=[
        edit("drop b_i = 0", "density", instance(
            theta=5, epsilon=1, Users=[1], a={1: 5}, b={1: 1}, Rest=law({3: 1})), {y: 3}),
    ],
)
