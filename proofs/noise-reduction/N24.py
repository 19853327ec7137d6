"""Theorem 4.1 (2): the noise reduction does not grow with epsilon (falls, while it is not 0)."""
from pfverify.proof.language import *

epsilon, larger, n, theta, smaller = positive("epsilon larger n theta smaller")
(x, z), c = indices("x z", "X"), member("c", "X")  # column c has the largest root at epsilon
pi = masses("pi")
a, Q = abs(x - c), total(pi(x, c), x)
f = total(pi(x, z) * (exp(abs(x - z) / theta) - exp(epsilon)), x)
root = at(f, {z: c}) == 0 and Q > 0
columns = at(f, {theta: smaller, epsilon: larger}) <= 0  # smaller: the largest root at `larger`
largest = pi(x, z) * (abs(x - z) - n) <= 0
here, there = n / epsilon - theta, n / larger - smaller
r, v = theta / smaller, a / theta - epsilon
average = total(pi(x, c) * a, x) / Q  # the mean distance of the column, < n unless all mass is at n
trend = there <= here and implies(here > 0, there < here)
two_points = instance(epsilon=log(2), theta="1/log(3)", larger=log(3), smaller="1/log(5)", n=1,
                      c=1, X=[0, 1], pi={(0, 1): 1/2, (1, 1): 1/2})

Claim(
    id="N24", source=paper("noise-reduction", "Theorem 4.1 (2)"), result=PROVED,
    words="The reduction n/epsilon - theta does not grow with epsilon; it falls while it is not 0",
    printed=proved(
        given={"order": epsilon < larger, "root": root, "columns": columns, "largest": largest},
        example=two_points, statement=trend,
        steps=[
            step("below", pi(x, c) * exp(a / theta) <= pi(x, c) * exp(n / theta),
                 arithmetic(use("largest", {z: c}))),
            step("sum below", total(pi(x, c) * exp(a / theta), x) <= Q * exp(n / theta),
                 integrate("below", x)),
            step("not negative", here >= 0, arithmetic("root", "sum below")),
            step("Bernoulli", implies(r >= 1, 1 + r * (exp(v) - 1) <= exp(r * v)),
                 arithmetic(hints=[exp((r - 1) * v), exp(-v)])),
            step("sum Bernoulli", implies(r >= 1, Q + r * (total(pi(x, c) * exp(v), x) - Q)
                 <= total(pi(x, c) * exp(r * v), x)), integrate("Bernoulli", x, weight=pi(x, c))),
            step("growth", implies(r >= 1, r * epsilon <= larger),
                 arithmetic("sum Bernoulli", "root", use("columns", {z: c}),
                            hints=[exp(-epsilon), exp(-r * epsilon), exp(larger - r * epsilon)])),
            step("trend", trend, arithmetic("order", "not negative", "growth")),
        ],
    ),
    tighter=proved(
        words="For small epsilon it grows like (n - mean)/epsilon",
        given={"root": root, "largest": largest}, example=two_points,
        statement=here >= (n - average) / epsilon - n,
        steps=[
            step("term", implies(theta > n, pi(x, c) * (exp(a / theta) - 1) * (theta - n)
                 <= pi(x, c) * a), arithmetic(use("largest", {z: c}), hints=[exp(-a / theta)])),
            step("sum", implies(theta > n, (total(pi(x, c) * exp(a / theta), x) - Q) * (theta - n)
                 <= average * Q), integrate("term", x)),
            step("distance", a >= 0, arithmetic()),
            step("mean", average * Q >= 0, integrate("distance", x, weight=pi(x, c))),
            step("growth", here >= (n - average) / epsilon - n, arithmetic("root", "sum", "mean")),
        ],
    ),
    breaks=[
        edit("drop largest", "below", instance(
            epsilon=log(2), theta="1/log(3)", larger=log(3), smaller="1/log(5)", n=1/2, c=1,
            X=[0, 1], pi={(0, 1): 1/2, (1, 1): 1/2})),
    ],
)
