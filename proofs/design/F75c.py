"""F75: H_E of N(0, 1) against N(mu, 1), which is that of two points with Gaussian noise.

Symbols:
mu: how far the two means are apart
eps: epsilon
z: an output
"""
from pfverify.proof.language import *

mu, eps, z = positive("mu"), constants("eps"), variables("z")
E, t = exp(eps), mu / 2 - eps / mu
excess = normal_pdf(z) - E * normal_pdf(z - mu)
above = maximum(excess, 0)
before, after = integral(above, z, -oo, t), integral(above, z, t, oo)
value = normal_cdf(t) - E * normal_cdf(t - mu)

Claim(
    id="F75c", source=paper("design", "F75"), result=PROVED,
    words="The integral of the positive part of the density of N(0, 1) less E times that of N(mu, "
          "1) is Phi(mu/2 - epsilon/mu) - E Phi(-mu/2 - epsilon/mu), E = e^epsilon",
    printed=proved(
        statement=integral(above, z, -oo, oo) == value,
        steps=[
            step("exponents", eps - (z - mu)**2 / 2 == -z**2 / 2 + mu * (z - t), identity()),
            step("positive", implies(z <= t, above == excess), arithmetic("exponents")),
            step("none", implies(t <= z, above == 0), arithmetic("exponents")),
            step("cdf", integral(excess, z, -oo, t) == value, antiderivative(
                normal_cdf(z) - E * normal_cdf(z - mu))),
            step("nothing", integral(0, z, t, oo) == 0, antiderivative(0)),
            step("before", before == integral(excess, z, -oo, t), integrate(
                "positive", z, between=(-oo, t))),
            step("after", after == integral(0, z, t, oo), integrate("none", z, between=(t, oo))),
            step("split", integral(above, z, -oo, oo) == before + after, split_integral(t)),
            step("all", integral(above, z, -oo, oo) == value, arithmetic(
                "split", "before", "after", "cdf", "nothing")),
        ],
    ),
    breaks=[edit("t = mu / 2", "exponents"), edit("value = normal_cdf(t)", "cdf")],
)
