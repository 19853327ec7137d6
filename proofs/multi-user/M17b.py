"""Theorem 3: (13) for all users, read as an equation for each and as the largest of their roots."""
from pfverify.proof.language import *
from settings.users import *

(p, q), own_root, e = constants("p q"), positive("own_root"), exp(1 / theta)
own, grow = exp(abs(t) / own_root), exp(abs(t) / theta)  # of a user of law P
both_users = p * e + (1 - p) == E and q * e + (1 - q) == E
equation = denied(
    words="The mean is e^epsilon for each user: no theta does it where two users are Bernoulli "
          "with different probabilities",
    given={"different": p != q}, example=instance(theta=1, epsilon=1, p=1/2, q=1/3),
    printed=both_users, statement=not both_users,
    steps=[step("no theta", not both_users, arithmetic("different"))],
)
largest = proved(
    words="theta is the largest of the roots that the users' equations have: it is private for "
          "each user",
    given={"exists": integrable(own, t), "root": mean(own, t) == E, "largest": own_root <= theta},
    example=instance(own_root="1/log(2)", theta=2, epsilon=log(3/2), P=law({0: 1/2, 1: 1/2}),
                     Rest=law({3: 1})),
    statement=mean(grow, t) <= E and private_P,
    steps=[
        step("inverse", 1 / theta <= 1 / own_root, arithmetic("largest")),
        step("small", abs(grow) <= own, arithmetic("inverse", hints=[abs(t) / theta])),
        step("exists there", abs(mean(grow, t)) <= mean(own, t), dominated("small")),
        step("(13)", mean(grow, t) <= E, arithmetic("exists there", "root")),
        step("private", private_P, theorem("M17", {}, "(13)")),
    ],
)
Claim(
    id="M17b", source=paper("multi-user", "(13)"), result=BOTH_READINGS,
    words="The mean of e^(|D_i|/theta) is e^epsilon for every user and every belief",
    readings=[equation, largest],
    breaks=[
        edit("drop different", "no theta", instance(
            theta=1 / log(2), epsilon=log(3/2), p=1/2, q=1/2)),
        edit("drop largest", "inverse", instance(
            own_root="1/log(2)", theta=1, epsilon=log(3/2), P=law({0: 1/2, 1: 1/2}),
            Rest=law({3: 1}))),
    ],
)
