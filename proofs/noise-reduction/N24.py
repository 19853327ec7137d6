"""Theorem 4.1 (2): the noise reduction does not grow with epsilon (falls, while it is not 0)."""
from pfverify.proof.language import *
from settings.column import *  # theta, smaller: the largest roots at epsilon, larger, c: at epsilon

a, Q_c, here, there = abs(x - c), at(Q, {z: c}), n / epsilon - theta, n / larger - smaller
r, v = theta / smaller, a / theta - epsilon
average = total(pi(x, c) * a, x) / Q_c  # the distance in column c, < n unless all mass is at n
trend = there <= here and implies(here > 0, there < here)

Claim(
    id="N24", source=paper("noise-reduction", "Theorem 4.1 (2)"), result=PROVED,
    words="The reduction n/epsilon - theta does not grow with epsilon; it falls while it is not 0",
    symbols=signs, meaning=meant,
    printed=proved(
        given={"order": epsilon < larger, "root": root, "columns": columns_there,
               "largest": largest}, example=halves_there, statement=trend,
        steps=[
            step("not negative", here >= 0,
                 theorem("N23", {}, "root", "largest", part="corrected")),
            step("Bernoulli", implies(r >= 1, (1 - r) * Q_c + r * total(pi(x, c) * exp(v), x)
                 <= total(pi(x, c) * exp(r * v), x)),
                 termwise(arithmetic(hints=[exp((r - 1) * v), exp(-v)]), x, weight=pi(x, c))),
            step("growth", implies(r >= 1, r * epsilon <= larger),
                 arithmetic("Bernoulli", "root", use("columns", {z: c}),
                            hints=[exp(-epsilon), exp(-r * epsilon), exp(larger - r * epsilon)])),
            step("trend", trend, arithmetic("order", "not negative", "growth")),
        ],
    ),
    tighter=proved(
        words="For small epsilon it grows like (n - mean)/epsilon",
        given={"root": root, "largest": largest}, example=half_moves,
        statement=here >= (n - average) / epsilon - n,
        steps=[
            step("sum", implies(theta > n, (at(S, {z: c}) - Q_c) * (theta - n) <= average * Q_c),
                 termwise(arithmetic(use("largest", {z: c}), hints=[exp(-a / theta)]), x)),
            step("mean", 0 <= average * Q_c, termwise(arithmetic(), x, weight=pi(x, c))),
            step("growth", here >= (n - average) / epsilon - n, arithmetic("root", "sum", "mean")),
        ],
    ),
    breaks=[
        edit("drop largest", "not negative", instance(
            epsilon=log(2), theta=1 / log(3), larger=log(3), smaller=1 / log(5), n=1/2, c=1,
            X=[0, 1], pi={(0, 1): 1/2, (1, 1): 1/2})),
        edit("drop order", "trend", instance(
            epsilon=log(3), theta=1 / log(5), larger=log(2), smaller=1 / log(3), n=1, c=1,
            X=[0, 1], pi={(0, 1): 1/2, (1, 1): 1/2})),
        edit("drop columns", "growth", instance(
            epsilon=log(2), theta=1 / log(3), larger=log(3), smaller=1 / log(100), n=1, c=1,
            X=[0, 1], pi={(0, 1): 1/2, (1, 1): 1/2})),
    ],
)
