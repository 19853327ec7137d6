"""Theorem 2 (12): noise for the value that a user reports or does not report, by being absent."""
from pfverify.proof.language import *
from settings.users import *

R, m = constants("R"), member("m", "Users")
scale_12 = theta * epsilon == abs(a(m)) and abs(a(i)) <= abs(a(m))
as_M10 = {"b": maps(i, 0)}

Claim(
    id="M13", source=paper("multi-user", "Theorem 2"), result=PROVED,
    words="Laplace noise whose scale is the largest |a_i| over epsilon hides whether a user "
          "reports a_i or is absent",
    printed=proved(
        given={"(12)": scale_12},
        example=instance(theta=5, epsilon=1, Users=[1, 2], m=2, a={1: -2, 2: 5},
                         Rest=law({3: 1/2, 4: 1/2})),
        statement=private_a,
        steps=[step("private", private_a, theorem("M10", as_M10, "(12)"))],
    ),
    tighter=proved(
        words="No smaller scale will do where the others' sum is bounded",
        given={"private": private_a, "bounded": abs(r) <= R},
        example=instance(theta=5, epsilon=1, R=4, Users=[1], a={1: 5},
                         Rest=law({3: 1/2, 4: 1/2})),
        statement=theta >= abs(a(i)) / epsilon,
        steps=[step("necessary", theta >= abs(a(i)) / epsilon,
                    theorem("M10", as_M10, "private", "bounded", part="tighter"))],
    ),
    breaks=[
        edit("drop (12)", "private", instance(
            theta=1, epsilon=1, Users=[1], m=1, a={1: 5}, Rest=law({0: 1})), {y: 5}),
        edit("drop private", "necessary", instance(
            theta=1, epsilon=1, R=0, Users=[1], a={1: 5}, Rest=law({0: 1}))),
    ],
)
