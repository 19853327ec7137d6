"""Theorem 4.1 (1): the relaxed noise is never larger, but it can be equal.

theta is the largest root of all columns, c a column that has it.
"""
from pfverify.proof.language import *
from settings.column import *

u, v = member("u v", "X")  # a largest distance
reached = pi(u, v) > 0 and abs(u - v) == n
reduction = n / epsilon - theta
slack = total(pi(x, z) * (n - d), x)  # 0 if all mass of the column is at distance n
exactly = (reduction >= 0 and implies(at(slack, {z: c}) > 0, reduction > 0)
           and implies(f <= 0 and Q > 0 and slack == 0, reduction == 0))

Claim(
    id="N23", source=paper("noise-reduction", "Theorem 4.1 (1)"), result=REPAIRED,
    words="The noise reduction n/epsilon - theta is positive for all epsilon and all priors",
    meaning=meant,
    printed=refuted(
        given={"columns": columns, "root": root, "largest": largest, "reached": reached},
        statement=reduction > 0, words="here both priors have full support",
        instance=instance(epsilon=1, theta=1, n=1, c=1, u=0, v=1, X=[0, 1, 2],
                          pi=plan({0: 1/2, 1: 1/4, 2: 1/4}, {0: 1/4, 1: 1/4, 2: 1/2})),
    ),
    corrected=proved(
        words="It is at least 0, and 0 exactly if some column has all its mass at distance n",
        given={"root": root, "largest": largest},
        example=[one_pair, half_moves], statement=exactly,
        steps=[
            step("below", S + slack / theta <= Q * exp(n / theta),
                 termwise(arithmetic("largest", hints=[exp((n - d) / theta)]), x)),
            step("above", exp(n / theta) * Q - exp(n / theta) * slack / theta <= S,
                 termwise(arithmetic(hints=[exp((d - n) / theta)]), x, weight=pi(x, z))),
            step("slack", slack >= 0, integrate("largest", x)),
            step("noise reduction", exactly, arithmetic(
                "root", use("below", {z: c}), use("slack", {z: c}), "above")),
        ],
    ),
    breaks=[
        edit("drop largest", "below", instance(
            epsilon=log(2), theta=1 / log(3), n=1/2, c=1, X=[0, 1], pi={(0, 1): 1/2, (1, 1): 1/2})),
        edit("drop root", "noise reduction", instance(
            epsilon=1, theta=3, n=1, c=1, X=[0, 1], pi={(0, 1): 1})),
    ],
)
