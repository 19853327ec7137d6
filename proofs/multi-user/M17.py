"""Theorem 3: (13) with "at most", as in its proof, for one user (any) of law P (any belief)."""
from pfverify.proof.language import *
from settings.users import *

grow, (R, K), z = exp(abs(t) / theta), constants("R K"), draws("z", "P")
there = 2 * theta * mean(at(absent, {y: y - z}), z)  # 2 theta from_P
up_to_K = indicator(K - t) * grow
far = {y: R + K}  # beyond all that the sum can be where t <= K

Claim(
    id="M17", source=paper("multi-user", "Theorem 3"), result=PROVED,
    words="If the mean of e^(|D_i|/theta) is at most e^epsilon for every user, Laplace noise of "
          "scale theta hides whether a user reports D_i or is absent",
    printed=proved(
        given={"exists": integrable(grow, t), "(13)": mean(grow, t) <= E},
        example=instance(theta=1, epsilon=2, Rest=fair, P=fair),
        statement=private_P,
        steps=[
            step("scaled", there <= E * 2 * theta * absent and 2 * theta * absent <= E * there,
                 theorem("F17", {"b": theta, "E": E, "P": "Rest", "N": "P"}, "exists", "(13)")),
            step("private", private_P, arithmetic("scaled")),
        ],
    ),
    tighter=proved(
        words="For reports of at least 0 and a bounded sum of the others no smaller scale will "
              "do: the mean over the reports up to K is at most e^epsilon, for every K",
        given={"private": private_P, "at least 0": t >= 0, "bounded": abs(r) <= R},
        example=instance(theta=1, epsilon=2, R=1, K=1, Rest=fair, P=fair),
        statement=mean(up_to_K, t) <= E,
        steps=[
            step("small", abs(up_to_K) <= exp(K / theta), arithmetic("at least 0")),
            step("exists", abs(mean(up_to_K, t)) <= mean(exp(K / theta), t), dominated("small")),
            step("shift", at(absent, far) * mean(up_to_K, t) <= at(from_P, far),
                 termwise(arithmetic("bounded", "at least 0"), r, t)),
            step("positive", exp(-(2 * R + abs(K)) / theta) / (2 * theta) <= at(absent, far),
                 termwise(arithmetic("bounded"), r)),
            step("all", mean(up_to_K, t) <= E,
                 arithmetic("shift", "positive", use("private", far))),
        ],
    ),
    breaks=[
        edit("drop (13)", "scaled", instance(
            theta=1, epsilon=1, Rest=law({0: 1}), P=law({3: 1})), {y: 3}),
        edit("drop exists", "(13)"),
        edit("drop at least 0", "small"),
        edit("drop private", "all", instance(
            theta=1, epsilon=1, R=0, K=3, Rest=law({0: 1}), P=law({3: 1}))),
    ],
)
