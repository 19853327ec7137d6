"""Footnote 5: the squared W_2 distance of two normal laws, attained by the linear map.

A coupling is a law of w: X(w) and Z(w) have any two laws with these moments (the means of X, Z and
X Z exist where those of X^2 and Z^2 do).
"""
from pfverify.proof.language import *

s, t = positive("s t")
m, n = constants("m n")
v = variables("v")
w = draws("w", "coupling")
X, Z = functions("X Z")
x, z, least = X(w) - m, Z(w) - n, (m - n)**2 + (s - t)**2
moments = (integrable(X(w), w) and integrable(Z(w), w) and integrable(X(w)**2, w)
           and integrable(Z(w)**2, w) and integrable(X(w) * Z(w), w))
cost, var_x, var_z = mean((X(w) - Z(w))**2, w), mean(x**2, w), mean(z**2, w)
linear = m + s * v - (n + t / s * (m + s * v - m))  # x - T(x) at x = m + s v
F = least * normal_cdf(v) - (2 * (m - n) * (s - t) + (s - t)**2 * v) * normal_pdf(v)
linear_cost = integral(linear**2 * normal_pdf(v), v, -oo, oo)

Claim(
    id="G24", source=paper("gaussian-priors", "footnote 5"), result=PROVED,
    words="Every coupling of laws with means m, n and standard deviations s, t costs at least "
          "(m - n)^2 + (s - t)^2 in squared distance, and the linear map T costs exactly that",
    printed=proved(
        given={
            "exist": moments, "sds": var_x == s**2 and var_z == t**2,
            "means": mean(x, w) == 0 and mean(z, w) == 0,
        },
        example=instance(s=1, t=3, m=0, n=0, coupling=law({1: 1/2, -1: 1/2}),
                         X={1: 1, -1: -1}, Z={1: 3, -1: -3}),
        statement=linear_cost == least and least <= cost,
        steps=[
            step("Cauchy-Schwarz", 0 <= mean((t * x - s * z)**2, w), termwise(arithmetic(), w)),
            step("covariance", mean(x * z, w) <= s * t, arithmetic("Cauchy-Schwarz", "sds")),
            step("bound", least <= cost, arithmetic("covariance", "sds", "means")),
            step("linear", linear_cost == least, antiderivative(F)),
        ],
    ),
    breaks=[
        edit("drop sds", "covariance", instance(
            s=1, t=1, m=0, n=0, coupling=law({1: 1/2, -1: 1/2}), X={1: 2, -1: -2},
            Z={1: 2, -1: -2})),
        edit("drop means", "bound", instance(
            s=1, t=1, m=1, n=-1, coupling=law({0: 1}), X={0: 0}, Z={0: 0})),
    ],
)
