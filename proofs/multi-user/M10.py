"""Theorem 1 (10): noise for the distance of two values of one user, whatever the others report."""
from pfverify.proof.language import *
from settings.users import *

R, m, way = constants("R"), member("m", "Users"), abs(a(i) - b(i))
scale_10 = theta * epsilon == at(way, {i: m}) and way <= at(way, {i: m})
out = {y: maximum(a(i), b(i)) + R}  # beyond all that the sum can be
rest = law({3: 1/2, 4: 1/2})

Claim(
    id="M10", source=paper("multi-user", "Theorem 1"), result=PROVED,
    words="Laplace noise whose scale is the largest |a_i - b_i| over epsilon hides whether a user "
          "reports a_i or b_i",
    printed=proved(
        given={"(10)": scale_10},
        example=instance(theta=2, epsilon=1, Users=[1], m=1, a={1: 5}, b={1: 3}, Rest=rest),
        statement=private_ab,
        steps=[
            step("scale", theta >= way / epsilon, arithmetic("(10)")),
            step("scaled", 2 * theta * from_a <= E * 2 * theta * from_b
                 and 2 * theta * from_b <= E * 2 * theta * from_a, theorem("G13", {
                     "b": theta, "m_i": a(i), "m_j": b(i), "P": "Rest", "x": r}, "scale")),
            step("private", private_ab, arithmetic("scaled")),
        ],
    ),
    tighter=proved(
        words="No smaller scale will do for any of the users, where the others' sum is bounded",
        given={"private": private_ab, "bounded": abs(r) <= R},
        example=instance(theta=2, epsilon=1, R=4, Users=[1], a={1: 5}, b={1: 3}, Rest=rest),
        statement=theta >= way / epsilon,
        steps=[
            step("ratio", at(from_a, out) == exp((a(i) - b(i)) / theta) * at(from_b, out),
                 termwise(arithmetic("bounded"), r)),
            step("positive", exp(-(2 * R + way) / theta) / (2 * theta) <= at(from_b, out),
                 termwise(arithmetic("bounded"), r)),
            step("factor", exp((a(i) - b(i)) / theta) <= E and 1 <= E * exp((a(i) - b(i)) / theta),
                 arithmetic("ratio", "positive", use("private", out))),
            step("necessary", theta >= way / epsilon, arithmetic("factor")),
        ],
    ),
    breaks=[
        edit("drop (10)", "scale", instance(
            theta=1, epsilon=1, Users=[1], m=1, a={1: 5}, b={1: 3}, Rest=law({0: 1})), {y: 5}),
        edit("drop bounded", "ratio"),
        edit("drop private", "factor", instance(
            theta=1, epsilon=1, R=0, Users=[1], a={1: 5}, b={1: 3}, Rest=law({0: 1}))),
    ],
)
