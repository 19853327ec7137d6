"""Remark 2: the scale of (13) is at most that of (14), and smaller unless |D_i| is constant.

theta is a root of (13) and t_max the largest |t| of (14), for one user.
"""
from pfverify.proof.language import *
from settings.users import *

(t_max, c), grow = constants("t_max c"), exp(abs(t) / theta)
top, root = exp(t_max / theta), integrable(grow, t) and mean(grow, t) == E
chance = mean(indicator(c - abs(t)), t)  # that |D_i| is at most c
smaller = implies(c < t_max and chance > 0, theta < t_max / epsilon)
equal = implies(chance <= 0, c / epsilon <= theta)

Claim(
    id="M19", source=paper("multi-user", "Remark 2"), result=REPAIRED,
    words="Condition (13) gives a smaller scale than (14)",
    printed=refuted(
        words="A user who always reports 5: both are 5/epsilon",
        given={"(13)": root, "(14)": abs(t) <= t_max}, statement=theta < t_max / epsilon,
        instance=instance(theta=5, epsilon=1, t_max=5, P=law({5: 1})),
    ),
    corrected=proved(
        words="It is no larger; it is smaller if, with some probability, |D_i| is at most a number "
              "c < t_max, and at least c/epsilon if not: for every c < t_max, that is, equal",
        given={"(13)": root, "(14)": abs(t) <= t_max},
        example=[instance(theta="1/log(2)", epsilon=log(3/2), t_max=1, c=0,
                          P=law({0: 1/2, 1: 1/2})),
                 instance(theta=5, epsilon=1, t_max=5, c=4, P=law({5: 1}))],
        statement=theta <= t_max / epsilon and smaller and equal,
        steps=[
            step("most", mean(grow, t) <= top, termwise(arithmetic("(14)"), t)),
            step("no larger", theta <= t_max / epsilon, arithmetic("most", "(13)")),
            step("gain", implies(c < t_max, mean(grow, t) <= top - chance * (top - exp(c / theta))),
                 termwise(arithmetic("(14)"), t)),
            step("smaller", smaller, arithmetic("gain", "(13)")),
            step("least", exp(c / theta) * (1 - chance) <= mean(grow, t),
                 termwise(arithmetic(), t)),
            step("equal", equal, arithmetic("least", "(13)")),
        ],
    ),
    breaks=[
        edit("drop (14)", "most", instance(
            theta=1 / log(2), epsilon=log(2), t_max=0, c=0, P=law({1: 1}))),
        edit("smaller = implies(chance > 0, theta < t_max / epsilon)", "smaller"),
    ],
)
