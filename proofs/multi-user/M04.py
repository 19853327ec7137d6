"""Proposition 1 (5): the scale that divides the farthest move of a plan by epsilon is private.

The plan is a law of w: X(w) and Z(w) are x and x'. So it is for the cheapest plans, and any other.
"""
from pfverify.proof.language import *

(theta, epsilon), y = positive("theta epsilon"), variables("y")
w, (X, Z) = draws("w", "Plan"), functions("X Z")
E, way = exp(epsilon), abs(X(w) - Z(w))
p = mean(exp(-abs(y - X(w)) / theta) / (2 * theta), w)
q = mean(exp(-abs(y - Z(w)) / theta) / (2 * theta), w)
first, second = {1: 1/5, 2: 9/40, 3: 1/2, 4: 3/40}, {2: 3/40, 3: 1/2, 4: 9/40, 5: 1/5}
pi = masses("pi")

Claim(
    id="M04", source=paper("multi-user", "Proposition 1"), result=PROVED,
    words="Laplace noise whose scale is the largest |x - x'| in the support of the plan over "
          "epsilon is private",
    printed=proved(
        given={"(5)": way <= epsilon * theta},
        example=instance(theta=1, epsilon=1, Plan=law({0: 1/2, 1: 1/2}), X={0: 0, 1: 1},
                         Z={0: 1, 1: 1}),
        statement=p <= E * q and q <= E * p,
        steps=[
            step("way", way / theta <= epsilon, arithmetic("(5)")),
            step("p", p <= E * q, termwise(arithmetic("way"), w)),
            step("q", q <= E * p, termwise(arithmetic("way"), w)),
        ],
    ),
    tighter=proved(
        words="It is not necessary: between the priors of Table 4 the plan (6) moves some mass by "
              "2, so (5) says 2 for epsilon = 1, and 1.1546 is private",
        data=instance(pi=plan(first, second)),
        statement=verdict("Table 4", "certified") and pi(1, 3) > 0,
        steps=[
            step("private", verdict("Table 4", "certified"),
                 certificate(problem(first, second, epsilon=1, scale=11546/10000))),
            step("by 2", pi(1, 3) > 0, finite()),
        ],
    ),
    breaks=[
        edit("drop (5)", "way", instance(
            theta=1, epsilon=1, Plan=law({0: 1}), X={0: 0}, Z={0: 2}), {y: 0}),
        edit("first = {1: 1}", "private"),
    ],
)
