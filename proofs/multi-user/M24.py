"""Below (15): for a Bernoulli user the scale 1/epsilon is more than (15) asks for."""
from pfverify.proof.language import *

epsilon, p = positive("epsilon"), constants("p")
u, v = variables("u v")
E = exp(epsilon)
odds = (E - (1 - p)) / p
closed = 1 / log(odds)

Claim(
    id="M24", source=paper("multi-user", "(15)"), result=PROVED,
    words="For 0 < p < 1 the scale 1/epsilon is larger than 1/log((e^epsilon - (1 - p))/p); for "
          "p = 1, a user who always reports 1, they are equal",
    printed=proved(
        given={"p": 0 < p and p <= 1},
        example=[instance(epsilon=1, p=1/2), instance(epsilon=1, p=1)],
        statement=closed <= 1 / epsilon and iff(closed < 1 / epsilon, p < 1),
        steps=[
            step("odds", odds >= E and iff(odds > E, p < 1), arithmetic("p")),
            step("order", iff(u <= v, exp(u) <= exp(v)), arithmetic()),
            step("log", log(odds) >= epsilon and iff(log(odds) > epsilon, p < 1), arithmetic(
                "odds", use("order", {u: epsilon, v: log(odds)}),
                use("order", {u: log(odds), v: epsilon}))),
            step("scales", closed <= 1 / epsilon and iff(closed < 1 / epsilon, p < 1),
                 arithmetic("log")),
        ],
    ),
    breaks=[
        edit("odds = E - (1 - p)", "odds", instance(epsilon=1, p=1/2)),
        edit("drop p", "odds"),
    ],
)
