"""Lemma 5 (18): 1/epsilon is private for a Bernoulli user; the least scale in closed form."""
from pfverify.proof.language import *
from settings.bernoulli import *

t, T, half = positive("t"), exp(1 / theta), law({0: 1/2, 1: 1/2})
there = at(private, {y: -R}) and at(private, {y: 1 + R})
closed = implies(d <= 0 or theta >= t, private) and implies(there, d <= 0 or theta >= t)

Claim(
    id="M28", source=paper("multi-user", "Lemma 5"), result=PROVED,
    words="Laplace noise of scale 1/epsilon hides which of two Bernoulli laws a user's report has, "
          "whatever the others report",
    printed=proved(
        given={"probabilities": probabilities, "(18)": theta == 1 / epsilon}, statement=private,
        example=instance(theta=1, epsilon=1, p=1/5, q=9/10, Rest=half),
        steps=[
            step("fits", at(fits, as_d), arithmetic("(18)", "probabilities")),
            step("enough", implies(at(fits, as_d), private), theorem(
                "F34", as_F34, "probabilities")),
            step("private", private, arithmetic("enough", "fits")),
        ],
    ),
    tighter=proved(
        words="With d = |p - q| - (e^epsilon - 1) min(p, q, 1-p, 1-q) and e^(1/t) = 1 + (e^epsilon "
              "- 1)/d: every scale is private if d <= 0 and those from t on if d > 0; for bounded "
              "reports of the others only these, and their law does not matter",
        given={"probabilities": probabilities, "bounded": abs(r) <= R, "d": d_is,
               "t": d <= 0 or exp(1 / t) == 1 + (E - 1) / d},
        example=instance(theta=1, epsilon=log(2), p=0, q=1/2, R=1, d=1/2, t="1/log(3)", Rest=half),
        statement=closed, steps=[
            step("order", iff(T <= exp(1 / t), theta >= t), arithmetic()),
            step("fits", iff(at(fits, as_d), d <= 0 or theta >= t), arithmetic("t", "order", "d")),
            step("enough", implies(at(fits, as_d), private), theorem(
                "F34", as_F34, "probabilities")),
            step("least", implies(there, at(fits, as_d)), theorem(
                "F34b", as_F34, "probabilities", "bounded")),
            step("closed", closed, arithmetic("fits", "enough", "least")),
        ],
    ),
    breaks=[
        edit("drop (18)", "fits", instance(
            theta=1/2, epsilon=1, p=0, q=1, Rest=law({0: 1})), {y: 0}),
        edit("drop bounded", "least", instance(
            theta="1/log(8)", epsilon=log(2), p=0, q=1/2, R=0, d=1/2, t="1/log(3)",
            Rest=law({5: 1}))),
        edit("drop d", "fits"),
    ],
)
