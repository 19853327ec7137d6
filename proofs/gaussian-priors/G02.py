"""(2): the excess of an event as a mean over any coupling of the priors.

A coupling is a law: X(w) and Z(w) have the laws P and Q, so bounded functions have the same means.
With Laplace noise these chances are the integrals of the release's density over B: F17b.
"""
from pfverify.proof.language import *

E, v = positive("E"), variables("v")
x, z, n, w = draws("x", "P"), draws("z", "Q"), draws("n", "noise"), draws("w", "coupling")
X, Z = functions("X Z")
B = masses("B")  # the event: B(v) is the chance that v is counted, 0 or 1 for a plain one
excess = mean(B(x + n), n, x) - E * mean(B(z + n), n, z)
coupled = mean(B(X(w) + n) - E * B(Z(w) + n), n, w)
half = law({0: 1/2, 1: 1/2})

Claim(
    id="G02", source=paper("gaussian-priors", "(2)"), result=PROVED,
    words="P(B|s_i) - e^epsilon P(B|s_j) is the mean over any coupling of the noise's chance of B "
          "at x less e^epsilon times that at x', for noise of any law",
    printed=proved(
        given={"event": B(v) <= 1, "first prior": mean(B(X(w) + n), n, w) == mean(B(x + n), n, x),
               "second prior": mean(B(Z(w) + n), n, w) == mean(B(z + n), n, z)},
        example=instance(E=2, P=half, Q=law({0: 1}), coupling=half, X={0: 0, 1: 1}, Z={0: 0, 1: 0},
                         noise=law({0: 1/2, 1: 1/2}), B={"else": 1/2}),
        statement=excess == coupled,
        steps=[
            step("linear", coupled == mean(B(X(w) + n), n, w) - E * mean(B(Z(w) + n), n, w),
                 identity()),
            step("all", excess == coupled, arithmetic("linear", "first prior", "second prior")),
        ],
    ),
    breaks=[
        edit("drop first prior", "all", instance(
            E=2, P=law({1: 1}), Q=law({0: 1}), coupling=law({0: 1}), X={0: 0}, Z={0: 0},
            noise=law({0: 1}), B={0: 1})),
        edit("drop second prior", "all", instance(
            E=2, P=law({0: 1}), Q=law({1: 1}), coupling=law({0: 1}), X={0: 0}, Z={0: 0},
            noise=law({0: 1}), B={1: 1})),
    ],
)
