"""Appendix D, last line: a sum of terms of both signs need not be at most 0."""
from pfverify.proof.language import *

b, epsilon = positive("b epsilon")
y = constants("y")
u, v = variables("u v")
m = indices("m", "M")
alpha, c = masses("alpha c")  # c(m): the probability of the event given component m
mu, nu, sigma = functions("mu nu sigma")
shift = abs(mu(m) - nu(m))
saved = 1 - exp(epsilon - shift / b)
# the chance that N(u, v^2) plus the noise is above y, as in F6
above = normal_tail(y, u, v) + exp(v**2 / (2 * b**2)) / 2 * (
    exp((u - y) / b) * normal_cdf((y - u) / v - v / b)
    - exp((y - u) / b) * normal_cdf((u - y) / v - v / b))

Claim(
    id="G39", source=paper("gaussian-priors", "Appendix D"), result=REPAIRED,
    words="If b epsilon is at least the mean of the shifts, the mean of (1 - e^(epsilon - "
          "|mu_im - mu_jm|/b)) times the probability of the event given component m is <= 0",
    printed=refuted(
        words="From means (1, 3) to (0, 0), sigma = 1, e^epsilon = 4, outputs above 5: the "
              "component that moves farther is likelier there, the mean is more than 0.019",
        given={"weights": total(alpha(m), m) == 1, "all move": mu(m) != nu(m),
               "(15)": b * epsilon >= total(alpha(m) * shift, m)},
        statement=total(alpha(m) * saved * at(above, {u: mu(m), v: sigma(m)}), m) <= 19/1000,
        instance=instance(M=[1, 2], alpha={1: 1/2, 2: 1/2}, mu={1: 1, 2: 3}, nu={}, y=5,
                          sigma={1: 1, 2: 1}, epsilon=log(4), b="1/log(2)"),
    ),
    corrected=proved(
        words="It is at most 0 if b epsilon is at least every shift",
        given={"largest": b * epsilon >= shift},
        example=instance(M=[1, 2], alpha={1: 1/2, 2: 1/2}, mu={1: 1, 2: 3}, nu={}, b=3, epsilon=1,
                         c={1: 1/3, 2: 1}),
        statement=total(alpha(m) * saved * c(m), m) <= 0,
        steps=[
            step("exponent", shift / b <= epsilon, arithmetic("largest")),
            step("term", saved * c(m) <= 0, arithmetic("exponent")),
            step("sum", total(alpha(m) * saved * c(m), m) <= 0,
                 integrate("term", m, weight=alpha(m))),
        ],
    ),
)
