"""Proof of Theorem 4.1 (2): the derivatives of n/epsilon and of the root."""
from pfverify.proof.language import *

epsilon, larger, n, theta, smaller = positive("epsilon larger n theta smaller")
(u, v), x, c, pi = variables("u v"), indices("x", "X"), member("c", "X"), masses("pi")
d, Q = abs(x - c), total(pi(x, c), x)
S, M = total(pi(x, c) * exp(d * u), x), total(pi(x, c) * exp(d * u) * d, x)
moment, moment_2, gap = at(M, {u: 1 / theta}), at(M, {u: 1 / smaller}), 1 / smaller - 1 / theta
root = at(S, {u: 1 / theta}) == exp(epsilon) * Q
root_2, chord = at(root, {theta: smaller, epsilon: larger}), (smaller - theta) / (larger - epsilon)
between = (-theta * smaller * exp(larger) * Q / moment <= chord
           and chord <= -theta * smaller * exp(epsilon) * Q / moment_2
           and (n / larger - n / epsilon) / (larger - epsilon) == -n / (epsilon * larger))
pair = instance(epsilon=1, theta=1, larger=2, smaller=1/2, n=1, c=1, X=[0, 1], pi={(0, 1): 1})

Claim(
    id="N26", source=paper("noise-reduction", "Theorem 4.1, proof"), result=PROVED,
    open="the limit of the chords (that the formula is continuous in epsilon)",
    words="The derivative of the root by epsilon is -theta^2 e^epsilon Q / sum d e^(d/theta) pi",
    printed=proved(
        words="Chords of the root lie between the values of the formula at (theta, larger epsilon) "
              "and at (smaller root, epsilon), whatever the step; that of n/epsilon is -n/(e e')",
        given={"Q > 0": Q > 0, "order": epsilon < larger, "root": root, "root 2": root_2},
        example=pair, statement=between,
        steps=[
            step("tangent", exp(d * u) * (1 + d * (v - u)) <= exp(d * v),
                 arithmetic(hints=[exp(d * (v - u))])),
            step("sum", S + M * (v - u) <= at(S, {u: v}), integrate("tangent", x, weight=pi(x, c))),
            step("moments", moment > 0 and moment_2 > 0,
                 arithmetic(use("sum", {u: 1 / theta, v: 0}), use("sum", {u: 1 / smaller, v: 0}),
                            "root", "root 2", "Q > 0")),
            step("gap", gap <= exp(larger) * (larger - epsilon) * Q / moment
                 and exp(epsilon) * (larger - epsilon) * Q / moment_2 <= gap,
                 arithmetic(use("sum", {u: 1 / theta, v: 1 / smaller}), "moments", "root", "root 2",
                            use("sum", {u: 1 / smaller, v: 1 / theta}), "Q > 0",
                            hints=[exp(larger - epsilon), exp(epsilon - larger)])),
            step("between", between, arithmetic("gap", "order", "moments")),
        ],
    ),
)
