"""Proof of Theorem 4.1 (2): the derivatives of n/epsilon and of the root."""
from pfverify.proof.language import *
from settings.column import *  # theta, smaller: the roots of column c at epsilon, larger

(u, v), a, Q_c = variables("u v"), abs(x - c), at(Q, {z: c})
G, M = total(pi(x, c) * exp(a * u), x), total(pi(x, c) * exp(a * u) * a, x)
moment, moment_2, gap = at(M, {u: 1 / theta}), at(M, {u: 1 / smaller}), 1 / smaller - 1 / theta
root_2, chord = at(root, {theta: smaller, epsilon: larger}), (smaller - theta) / (larger - epsilon)
between = (-theta * smaller * exp(larger) * Q_c / moment <= chord
           and chord <= -theta * smaller * exp(epsilon) * Q_c / moment_2
           and (n / larger - n / epsilon) / (larger - epsilon) == -n / (epsilon * larger))
pair = instance(epsilon=1, theta=1, larger=2, smaller=1/2, n=1, c=1, X=[0, 1], pi={(0, 1): 1})

Claim(
    id="N26", source=paper("noise-reduction", "Theorem 4.1, proof"), result=PROVED,
    symbols=signs, meaning=meant,
    open="the limit of the chords (that the formula is continuous in epsilon)",
    words="The derivative of the root by epsilon is -theta^2 e^epsilon Q / sum d e^(d/theta) pi",
    printed=proved(
        words="Chords of the root lie between the values of the formula at (theta, larger epsilon) "
              "and at (smaller root, epsilon), whatever the step; that of n/epsilon is -n/(e e')",
        given={"order": epsilon < larger, "root": root, "root 2": root_2},
        example=pair, statement=between,
        steps=[
            step("tangent", G + M * (v - u) <= at(G, {u: v}),
                 termwise(arithmetic(hints=[exp(a * (v - u))]), x, weight=pi(x, c))),
            step("moments", moment > 0 and moment_2 > 0, arithmetic(
                "root", "root 2", use("tangent", {u: 1 / theta, v: 0}),
                use("tangent", {u: 1 / smaller, v: 0}))),
            step("gap", gap <= exp(larger) * (larger - epsilon) * Q_c / moment
                 and exp(epsilon) * (larger - epsilon) * Q_c / moment_2 <= gap,
                 arithmetic("moments", "root", "root 2",
                            use("tangent", {u: 1 / theta, v: 1 / smaller}),
                            use("tangent", {u: 1 / smaller, v: 1 / theta}),
                            hints=[exp(larger - epsilon), exp(epsilon - larger)])),
            step("between", between, arithmetic("gap", "order", "moments")),
        ],
    ),
    breaks=[
        edit("drop root 2", "moments", instance(
            epsilon=1, theta=1, larger=2, smaller=3, n=1, c=1, X=[0, 1], pi={(0, 1): 1})),
        edit("drop order", "between", instance(
            epsilon=2, theta=1/2, larger=1, smaller=1, n=1, c=1, X=[0, 1], pi={(0, 1): 1})),
    ],
)
