"""Theorem 4.1 (1): the relaxed noise is never larger, but it can be equal."""
from pfverify.proof.language import *

(epsilon, n, theta), (x, z) = positive("epsilon n theta"), indices("x z", "X")
c, u, v = member("c u v", "X")  # c: a column with the largest root; (u, v): a largest distance
pi = masses("pi")
d, Q = abs(x - z), total(pi(x, z), x)
f = total(pi(x, z) * (exp(d / theta) - exp(epsilon)), x)  # theta: the largest root of all columns
columns, root = f <= 0, at(f, {z: c}) == 0 and at(Q, {z: c}) > 0
largest, reached = pi(x, z) * (d - n) <= 0, pi(u, v) > 0 and abs(u - v) == n
reduction = n / epsilon - theta
slack = total(pi(x, z) * (n - d), x)  # 0 if all mass of the column is at distance n
exactly = (reduction >= 0 and implies(at(slack, {z: c}) > 0, reduction > 0)
           and implies(Q > 0 and slack == 0, reduction == 0))

Claim(
    id="N23", source=paper("noise-reduction", "Theorem 4.1 (1)"), result=REPAIRED,
    words="The noise reduction n/epsilon - theta is positive for all epsilon and all priors",
    printed=refuted(
        given={"columns": columns, "root": root, "largest": largest, "reached": reached},
        statement=reduction > 0, words="here both priors have full support",
        instance=instance(epsilon=1, theta=1, n=1, c=1, u=0, v=1, X=[0, 1, 2],
                          pi=plan({0: 1/2, 1: 1/4, 2: 1/4}, {0: 1/4, 1: 1/4, 2: 1/2})),
    ),
    corrected=proved(
        words="It is at least 0, and 0 exactly if some column has all its mass at distance n",
        given={"columns": columns, "root": root, "largest": largest},
        example=[instance(epsilon=1, theta=1, n=1, c=1, X=[0, 1], pi={(0, 1): 1}),
                 instance(epsilon=log(2), theta=1 / log(3), n=1, c=1, X=[0, 1],
                          pi={(0, 1): 1/2, (1, 1): 1/2})], statement=exactly,
        steps=[
            step("below", pi(x, z) * (exp(d / theta) + (n - d) / theta)
                 <= pi(x, z) * exp(n / theta), arithmetic("largest", hints=[exp((n - d) / theta)])),
            step("sum below", total(pi(x, z) * exp(d / theta), x) + slack / theta
                 <= Q * exp(n / theta), integrate("below", x)),
            step("above", exp(n / theta) * (1 - (n - d) / theta) <= exp(d / theta),
                 arithmetic(hints=[exp((d - n) / theta)])),
            step("sum above", exp(n / theta) * (Q - slack / theta)
                 <= total(pi(x, z) * exp(d / theta), x), integrate("above", x, weight=pi(x, z))),
            step("slack", slack >= 0, integrate("largest", x)),
            step("noise reduction", exactly,
                 arithmetic("root", "columns", use("sum below", {z: c}), use("slack", {z: c}),
                            "sum above")),
        ],
    ),
    breaks=[
        edit("drop largest", "below", instance(
            epsilon=log(2), theta=1 / log(3), n=1/2, c=1, X=[0, 1], pi={(0, 1): 1/2, (1, 1): 1/2})),
    ],
)
