"""(15): the scale that (13) asks for a Bernoulli user, in closed form; M17 says that it is private.

At p = 0 the user reports 0 always: (13) holds at every scale, and (15) divides by 0.
"""
from pfverify.proof.language import *
from settings.users import *

(u, v), p = variables("u v"), constants("p")
grow, e = exp(abs(t) / theta), exp(1 / theta)
one, odds = indicator(t - 1), (E - (1 - p)) / p  # one: 1 where the user reports 1
bernoulli, condition = mean(grow, t) == p * e + (1 - p), mean(grow, t) <= E
scale_15 = theta >= 1 / log(odds)
bits = t * (t - 1) == 0 and 0 < p and p <= 1

Claim(
    id="M23", source=paper("multi-user", "(15)"), result=PROVED,
    words="For a Bernoulli(p) user, p > 0, the mean in (13) is p e^(1/theta) + (1 - p), and at "
          "most e^epsilon exactly if theta >= 1/log((e^epsilon - (1 - p))/p)",
    printed=proved(
        given={"bits": bits, "law": mean(one, t) == p},
        example=instance(theta=2, epsilon=1, P=fair, p=1/2),
        statement=bernoulli and iff(condition, scale_15),
        steps=[
            step("small", abs(grow) <= e, arithmetic("bits")),
            step("exists", abs(mean(grow, t)) <= mean(e, t), dominated("small")),
            step("each", grow == 1 + one * (e - 1), arithmetic("bits")),
            step("sum", mean(grow, t) == 1 + mean(one, t) * (e - 1), integrate("each", t)),
            step("mean", bernoulli, arithmetic("sum", "law")),
            step("odds", odds > 1, arithmetic("bits")),
            step("(13)", iff(condition, e <= odds), arithmetic("mean", "bits")),
            step("order", iff(u <= v, exp(u) <= exp(v)), arithmetic()),
            step("log", log(odds) > 0, arithmetic("odds")),
            step("root", iff(e <= odds, scale_15),
                 arithmetic("log", "odds", use("order", {u: 1 / theta, v: log(odds)}))),
            step("(15)", iff(condition, scale_15), arithmetic("(13)", "root")),
        ],
    ),
    breaks=[
        edit("drop bits", "small"),
        edit("drop law", "mean", instance(theta=2, epsilon=1, P=fair, p=1)),
        edit("odds = (E - p) / p", "odds", instance(theta=2, epsilon=log(3/2), P=law({1: 1}), p=1)),
    ],
)
