"""Below (11): b = mu/epsilon gives epsilon-privacy for no number of users, only a small delta.

c(u) is the chance of an event when the data is u. As in F8d the law A has the density a to W.

Symbols:
sigma: the standard deviation of one user's data
K: the number of users
narrow: s', the standard deviation of the sum without the user
wide: s, the standard deviation of the sum with the user
t: how far an output is beyond mu + s^2/b, in units of s
y: where a density is taken
x: the sum with the user, less the user's mean
a: the density, with regard to W, of the sum without the user
"""
from pfverify.proof.language import *
from settings.events import *

sigma, K, narrow, wide = positive("sigma K narrow wide")
(t, y, m, s), mu, kept = variables("t y m s"), b * epsilon, narrow / wide  # b is mu/epsilon
x, a = draws("x", "W"), masses("a")
q, r = log((K - 1) * sigma**2) / 2, log(K * sigma**2) / 2  # logs of the standard deviations
release = exp(s**2 / (2 * b**2)) * (exp(-(y - m) / b) * normal_cdf((y - m) / s - s / b) + exp(
    (y - m) / b) * normal_cdf((m - y) / s - s / b)) / (2 * b)  # the density from N(m, s^2)
without, present = at(release, {m: 0, s: exp(q)}), at(release, {m: mu, s: exp(r)})
M, out = exp(mu / b + exp(2 * r) / (2 * b**2)), {y: mu + exp(2 * r) / b + exp(r) * t}
gap = M - E * exp(exp(2 * q) / (2 * b**2))
beyond = implies(t > 0 and t * gap > M, at(present, out) > E * at(without, out))
P, Q = mean(c(x + mu), x), mean(a(x) * c(x), x)
private = P <= E * Q + 1 - kept and Q <= E * P + 1 - kept
densities = implies(narrow <= wide, normal_pdf(y, 0, narrow) <= normal_pdf(y, 0, wide) / kept)

Claim(
    id="G21", source=paper("gaussian-priors", "(11)"), result=REPAIRED,
    words="For large K adding Laplace noise with b = mu/epsilon attains epsilon-pufferfish privacy",
    printed=denied(
        words="The sum with the user would be at most e^epsilon times that without, at every "
              "output mu + s^2/b + s t; for every K > 1 it is more wherever t is large enough",
        printed=at(present, out) <= E * at(without, out), at={t: M / gap + 1},
        given={"K": K > 1}, example=instance(b=1, epsilon=1, sigma=1, K=2), meets={t: 20},
        statement=beyond and gap > 0,
        steps=[
            step("F8b", beyond and iff(mu / b + (exp(2 * r) - exp(2 * q)) / (2 * b**2) > epsilon,
                 gap > 0), theorem("F8b", {"d": mu, "q": q, "r": r, "epsilon": epsilon}, "K")),
            step("gap", gap > 0, arithmetic("F8b", "K")),
        ],
    ),
    corrected=proved(
        words="Only delta goes to 0: delta = 1 - s'/s = 1 - sqrt((K-1)/K) is enough, for any law W "
              "and any density a at most s/s'; the normal densities are: s' phi_s' <= s phi_s",
        given={"less": a(x) <= 1 / kept, "mass": mean(a(x), x) == 1, "event": event,
               "Laplace": Laplace},
        example=instance(b=1, epsilon=1, narrow=1, wide=2, W=law({0: 1/2, 1: 1/2}), a={0: 2},
                         c={"else": 1/2}),
        statement=private and densities,
        steps=[
            step("F8d", private, theorem("F8d", {"mu": mu, "E": E, "kept": kept}, "less", "mass",
                                         "event", "Laplace")),
            step("exponents", implies(narrow <= wide, -(y / narrow)**2 <= -(y / wide)**2),
                 arithmetic()),
            step("densities", densities, arithmetic("exponents")),
        ],
    ),
    breaks=[
        edit("drop K", "F8b"),
        edit("drop mass", "F8d", instance(
            b=1, epsilon=1/2, narrow=1, wide=2, W=law({0: 1}), a={}, c={"else": 1})),
    ],
)
