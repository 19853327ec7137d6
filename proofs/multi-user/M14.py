"""Theorem 2, proof: a sign in the display that bounds the density less e^epsilon times the other.

q, the density where the user is absent, is `absent`; theta = |a_i|/epsilon is (12) for one user.
"""
from pfverify.proof.language import *
from settings.users import *

display = from_a - E * absent <= (exp(-abs(a(i)) / theta) - E) * absent
right_sign = from_a - E * absent <= (exp(abs(a(i)) / theta) - E) * absent
suffices = implies(theta >= abs(a(i)) / epsilon, exp(abs(a(i)) / theta) - E <= 0)

Claim(
    id="M14", source=paper("multi-user", "Theorem 2, proof"), result=REPAIRED,
    words="The density where the user reports a_i, less e^epsilon q, is at most "
          "(e^(-|a_i|/theta) - e^epsilon) q, where q is the density when the user is absent",
    printed=refuted(
        words="The others' sum is 0, a_i = 1, theta = epsilon = 1, at y = 1: the left is 0 and "
              "the right is (e^(-2) - 1)/2",
        statement=display, at={y: 1},
        instance=instance(theta=1, epsilon=1, Users=[1], a={1: 1}, Rest=law({0: 1})),
    ),
    corrected=proved(
        words="With e^(|a_i|/theta) it holds, and theta >= |a_i|/epsilon makes the factor at most "
              "0: the theorem stands",
        statement=right_sign and suffices,
        steps=[
            step("display", right_sign, termwise(arithmetic(), r)),
            step("(12)", suffices, arithmetic()),
        ],
    ),
    breaks=[
        edit("right_sign = from_a - E * absent <= (exp(abs(a(i)) / (2 * theta)) - E) * absent",
             "display", instance(theta=1, epsilon=1, Users=[1], a={1: 1}, Rest=law({0: 1})),
             {y: 1}),
    ],
)
