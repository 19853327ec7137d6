"""(31)-(33): every coupling bounds the excess of an event, by three means in turn.

A coupling is a law of w: X(w) and X(w) + D(w) have the laws of the priors. c(u) is the chance of an
event when the data is u.
"""
from pfverify.proof.language import *
from settings.events import *

w, (X, D) = draws("w", "coupling"), functions("X D")
far, x, z = abs(D(w)), X(w), X(w) + D(w)
over, saved = far / b - epsilon, maximum(1 - exp(epsilon - far / b), 0)
excess, by_31 = mean(c(x) - E * c(z), w), mean(saved, w)
by_32, squares = mean(maximum(over, 0), w), mean(over**2, w)

Claim(
    id="G40", source=paper("gaussian-priors", "(31)-(33)"), result=PROVED,
    words="For every coupling P(B) - e^epsilon Q(B) is at most the mean (31) of "
          "[1 - e^(epsilon - |x-x'|/b)]_+, that is at most (32), and (32) at most (33)",
    printed=proved(
        given={"event": event, "Laplace": Laplace,
               "moments": integrable(far, w) and integrable(far**2, w)},
        example=instance(b=1, epsilon=1, coupling=law({0: 1/2, 1: 1/2}), X={0: 0, 1: 3},
                         D={0: 3, 1: -3}, c={"else": 1/2}),
        statement=excess <= by_31 and by_31 <= by_32 and by_32 <= sqrt(squares),
        steps=[
            step("F19", c(u) - E * c(v) <= maximum(1 - exp(epsilon - abs(u - v) / b), 0),
                 theorem("F19", {"epsilon": epsilon}, "event", "Laplace")),
            step("(31)", excess <= by_31, termwise(arithmetic(use("F19", {u: x, v: z})), w)),
            step("small", abs(maximum(over, 0)) <= far / b, arithmetic()),
            step("exists", abs(by_32) <= mean(far / b, w), dominated("small")),
            step("(32)", by_31 <= by_32, termwise(arithmetic(), w)),
            step("square", over**2 >= 2 * by_32 * maximum(over, 0) - by_32**2, arithmetic()),
            step("squares", squares >= by_32**2, integrate("square", w)),
            step("(33)", by_32 <= sqrt(squares), arithmetic("squares")),
        ],
    ),
    breaks=[
        edit("drop Laplace", "F19", instance(
            b=1, epsilon=1, coupling=law({0: 1}), X={0: 0}, D={0: 1/2}, c={0: 1})),
    ],
)
