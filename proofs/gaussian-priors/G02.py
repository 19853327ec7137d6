"""(2): the excess of an event as a mean over any coupling of the priors.

A coupling is a law: X(w) and Z(w) have the laws P and Q, so bounded functions have the same means.
"""
from pfverify.proof.language import *

E = positive("E")
b = positive("b")
v, y = variables("v y")
x, z, n, w = draws("x", "P"), draws("z", "Q"), draws("n", "noise"), draws("w", "coupling")
X, Z = functions("X Z")
B = masses("B")  # the event: B(v) is the chance that v is counted, 0 or 1 for a plain one
excess = mean(B(x + n), n, x) - E * mean(B(z + n), n, z)
coupled = mean(B(X(w) + n) - E * B(Z(w) + n), n, w)
k, k_x = exp(-abs(y - v) / b) / (2 * b), exp(-abs(y - x) / b) / (2 * b)
chance, chance_x = integral(B(y) * k, y, -oo, oo), integral(B(y) * k_x, y, -oo, oo)
released = integral(mean(B(y) * k_x, x), y, -oo, oo)
by_density = integral(B(y) * mean(k_x, x), y, -oo, oo) == mean(chance_x, x)
half = law({0: 1/2, 1: 1/2})

Claim(
    id="G02", source=paper("gaussian-priors", "(2)"), result=PROVED,
    words="P(B|s_i) - e^epsilon P(B|s_j) is the mean over any coupling of the noise's chance of B "
          "at x less e^epsilon times that at x', for noise of any law",
    printed=proved(
        given={"event": B(v) <= 1, "first prior": mean(B(X(w) + n), n, w) == mean(B(x + n), n, x),
               "second prior": mean(B(Z(w) + n), n, w) == mean(B(z + n), n, z)},
        example=instance(E=2, P=half, Q=law({0: 1}), coupling=half, X={0: 0, 1: 1}, Z={0: 0, 1: 0},
                         noise=law({0: 1/2, 1: 1/2}), B={}),
        statement=excess == coupled,
        steps=[
            step("linear", coupled == mean(B(X(w) + n), n, w) - E * mean(B(Z(w) + n), n, w),
                 identity()),
            step("all", excess == coupled, arithmetic("linear", "first prior", "second prior")),
        ],
    ),
    tighter=proved(
        words="With Laplace noise the release has a density, the mean of that of the noise: the "
              "mean chance of B is its integral over B",
        given={"event": B(y) <= 1}, example=instance(b=1, B={}),
        statement=by_density,
        steps=[
            step("chance", chance <= 1, theorem("G27", {"x": v}, "event", part="tighter")),
            step("at least 0", 0 <= chance, theorem("G27", {"x": v}, "event", part="tighter")),
            step("small", abs(chance_x) <= 1,
                 arithmetic(use("chance", {v: x}), use("at least 0", {v: x}))),
            step("exists", abs(mean(chance_x, x)) <= mean(1, x), dominated("small")),
            step("positive", 0 <= B(y) * k_x, arithmetic()),
            step("Tonelli", released == mean(chance_x, x), tonelli("positive")),
            step("factor", B(y) * mean(k_x, x) == mean(B(y) * k_x, x), identity()),
            step("same", integral(B(y) * mean(k_x, x), y, -oo, oo) == released,
                 integrate("factor", y, between=(-oo, oo))),
            step("all", by_density, arithmetic("Tonelli", "same")),
        ],
    ),
)
