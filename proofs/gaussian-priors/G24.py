"""Footnote 5: the squared W_2 distance of two normal laws, attained by the linear map.

A total over x and z stands for a mean over a coupling of any two laws with these moments.
"""
from pfverify.proof.language import *

s, t = positive("s t")
m, n = constants("m n")
v = variables("v")
x, z = indices("x z", "X")
pi = masses("pi")
X, Z, least = x - m, z - n, (m - n)**2 + (s - t)**2
cost, covariance = total(pi(x, z) * (x - z)**2, x, z), total(pi(x, z) * X * Z, x, z)
var_x, var_z = total(pi(x, z) * X**2, x, z), total(pi(x, z) * Z**2, x, z)
drift = total(pi(x, z) * X, x, z) - total(pi(x, z) * Z, x, z)
linear = m + s * v - (n + t / s * (m + s * v - m))  # x - T(x) at x = m + s v
square = (t * X - s * Z)**2
F = least * normal_cdf(v) - (2 * (m - n) * (s - t) + (s - t)**2 * v) * normal_pdf(v)
linear_cost = integral(linear**2 * normal_pdf(v), v, -oo, oo)

Claim(
    id="G24", source=paper("gaussian-priors", "footnote 5"), result=PROVED,
    words="Every coupling of laws with means m, n and standard deviations s, t costs at least "
          "(m - n)^2 + (s - t)^2 in squared distance, and the linear map T costs exactly that",
    printed=proved(
        given={
            "mass": total(pi(x, z), x, z) == 1, "sds": var_x == s**2 and var_z == t**2,
            "means": total(pi(x, z) * X, x, z) == 0 and total(pi(x, z) * Z, x, z) == 0,
        },
        example=instance(s=1, t=3, m=0, n=0, X=[-3, -1, 1, 3],
                         pi={(1, 3): 1/2, (-1, -3): 1/2}),
        statement=linear_cost == least and least <= cost,
        steps=[
            step("square", 0 <= square, arithmetic()),
            step("Cauchy-Schwarz", 0 <= total(pi(x, z) * square, x, z),
                 integrate("square", x, z, weight=pi(x, z))),
            step("squares", total(pi(x, z) * square, x, z)
                 == t**2 * var_x + s**2 * var_z - 2 * s * t * covariance, identity()),
            step("covariance", covariance <= s * t, arithmetic("Cauchy-Schwarz", "squares", "sds")),
            step("cost", cost == var_x + var_z - 2 * covariance + 2 * (m - n) * drift
                 + (m - n)**2 * total(pi(x, z), x, z), identity()),
            step("bound", least <= cost, arithmetic("cost", "covariance", "sds", "means", "mass")),
            step("linear", linear_cost == least, antiderivative(F)),
            step("attained", linear_cost == least and least <= cost,
                 arithmetic("bound", "linear")),
        ],
    ),
)
