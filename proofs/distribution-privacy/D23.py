"""Theorem 3 with eta > 0, as printed: few letters y may carry all of A#(lambda)."""
from pfverify.proof.language import *
from settings.tupling import *

few_p, few_q = total(indicator(beta - p(y)), y), total(indicator(beta - q(y)), y)

Claim(
    id="D23", source=paper("distribution-privacy", "Theorem 3"), result=REFUTED,
    words="If A#(lambda)[y] <= beta for a uniform y with a chance of at least 1 - eta, for both "
          "distributions, the tupling mechanism is (epsilon_alpha, delta_alpha)-private for them",
    printed=refuted(
        words="Two points, one dummy: the tuples with the first point and without the second have "
              "the chances 2/3 and 0, and delta_alpha is 1/3 + 2 e^-8",
        given={"laws": laws, "letters": total(1, y) == m, "one dummy": k == 1,
               "0 < alpha < k/m": alpha * m < k,
               "Lambda": few_p >= (1 - eta) * m and few_q >= (1 - eta) * m},
        statement=total(maximum(one_p - E * one_q, 0), y, s) <= delta,
        instance=instance(k=1, m=3, beta=1/20, alpha=1/10, eta=1/3, Y=[0, 1, 2], p={0: 1},
                          q={1: 1}),
    ),
    breaks=[
        edit("delta = 2/3", "the counterexample"),
        edit("Lambda = few_p >= m", "Lambda"),
    ],
)
