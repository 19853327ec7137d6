"""Section II-B: any coupling gives a sufficient condition, the independent one too.

A coupling is a law: X(w) and Z(w) have the laws P and Q, so bounded functions have the same means.
c(u) is the chance of an event when the data is u; with Laplace noise c(u) <= e^(|u-v|/b) c(v).
"""
from pfverify.proof.language import *

b, E = positive("b E")
delta, (u, v) = constants("delta"), variables("u v")
x, z, w = draws("x", "P"), draws("z", "Q"), draws("w", "coupling")
X, Z = functions("X Z")
c = masses("c")
gap, back = c(X(w)) - E * c(Z(w)), 1 - E * exp(-abs(X(w) - Z(w)) / b)
excess, saved = mean(c(x), x) - E * mean(c(z), z), mean(maximum(back, 0), w)
half = law({0: 1/2, 1: 1/2})

Claim(
    id="G06", source=paper("gaussian-priors", "Section II-B"), result=PROVED,
    words="If the mean of [1 - e^(epsilon - |x-x'|/b)]_+ over some coupling is at most delta, the "
          "release is (epsilon, delta)-private: every coupling gives a sufficient condition",
    printed=proved(
        given={"event": c(u) <= 1, "Laplace": c(u) <= exp(abs(u - v) / b) * c(v),
               "first prior": mean(c(X(w)), w) == mean(c(x), x),
               "second prior": mean(c(Z(w)), w) == mean(c(z), z), "condition": saved <= delta},
        example=instance(b=1, E=2, delta=1, P=half, Q=half, coupling=half, X={0: 0, 1: 1},
                         Z={0: 1, 1: 0}, c={"else": 1/2}),
        statement=excess <= delta,
        steps=[
            step("pair", gap <= maximum(back, 0), arithmetic(
                use("event", {u: X(w)}), use("Laplace", {u: X(w), v: Z(w)}),
                hints=[exp(abs(X(w) - Z(w)) / b)])),
            step("mean", mean(gap, w) <= saved, integrate("pair", w)),
            step("all", excess <= delta,
                 arithmetic("mean", "first prior", "second prior", "condition")),
        ],
    ),
    breaks=[
        edit("drop Laplace", "pair", instance(
            b=1, E=2, delta=0, P=law({0: 1}), Q=law({1/2: 1}), coupling=law({0: 1}), X={0: 0},
            Z={0: 1/2}, c={0: 1})),
        edit("drop condition", "all", instance(
            b=1, E=1/2, delta=0, P=law({0: 1}), Q=law({0: 1}), coupling=law({0: 1}), X={0: 0},
            Z={0: 0}, c={"else": 1})),
    ],
)
