"""(31)-(33): every coupling bounds the excess of an event, by three means in turn.

A coupling is a law of w, under which X(w) and X(w) + D(w) have the laws of the priors. c(u) is the
chance of an event when the data is u; with Laplace noise c(u) <= e^(|u-v|/b) c(v).
"""
from pfverify.proof.language import *

b, epsilon = positive("b epsilon")
u, v = variables("u v")
w = draws("w", "coupling")
X, D = functions("X D")
c, far, x, z = masses("c"), abs(D(w)), X(w), X(w) + D(w)
E, over, saved = exp(epsilon), far / b - epsilon, maximum(1 - exp(epsilon - far / b), 0)
excess, by_31 = mean(c(x) - E * c(z), w), mean(saved, w)
by_32, squares = mean(maximum(over, 0), w), mean(over**2, w)
chain = excess <= by_31 and by_31 <= by_32 and by_32 <= sqrt(squares)

Claim(
    id="G40", source=paper("gaussian-priors", "(31)-(33)"), result=PROVED,
    words="For every coupling P(B) - e^epsilon Q(B) is at most the mean (31) of "
          "[1 - e^(epsilon - |x-x'|/b)]_+, that is at most (32), and (32) at most (33)",
    printed=proved(
        given={"event": c(u) <= 1, "Laplace": c(u) <= exp(abs(u - v) / b) * c(v),
               "moments": integrable(far, w) and integrable(far**2, w)},
        example=instance(b=1, epsilon=1, coupling=law({0: 1/2, 1: 1/2}), X={0: 0, 1: 3},
                         D={0: 3, 1: -3}, c={}),
        statement=chain,
        steps=[
            step("pair", c(x) - E * c(z) <= saved, arithmetic(
                use("event", {u: x}), use("Laplace", {u: x, v: z}),
                hints=[exp(far / b)])),
            step("(31)", excess <= by_31, integrate("pair", w)),
            step("small", abs(maximum(over, 0)) <= far / b, arithmetic()),
            step("exists", abs(by_32) <= mean(far / b, w), dominated("small")),
            step("e^u >= 1 + u", saved <= maximum(over, 0), arithmetic()),
            step("(32)", by_31 <= by_32, integrate("e^u >= 1 + u", w)),
            step("square", over**2 >= 2 * by_32 * maximum(over, 0) - by_32**2, arithmetic()),
            step("squares", squares >= by_32**2, integrate("square", w)),
            step("root", squares >= 0, arithmetic("squares")),
            step("chain", chain, arithmetic("(31)", "(32)", "squares")),
        ],
    ),
    breaks=[
        edit("drop Laplace", "pair", instance(
            b=1, epsilon=1, coupling=law({0: 1}), X={0: 0}, D={0: 1/2}, c={0: 1})),
    ],
)
