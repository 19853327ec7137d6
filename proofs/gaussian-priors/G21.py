"""Below (11): b = mu/epsilon gives epsilon-privacy for no number of users, only a small delta."""
from pfverify.proof.language import *

mu, sigma, epsilon, K, narrow, wide = positive("mu sigma epsilon K narrow wide")
t, y, u, v = variables("t y u v")
x, (a, c) = draws("x", "W"), masses("a c")  # as in F8d: A has the density a to W
b, E, kept = mu / epsilon, exp(epsilon), narrow / wide
q, r = log((K - 1) * sigma**2) / 2, log(K * sigma**2) / 2  # logs of the standard deviations
z, less, more = y / exp(q), exp(2 * q) / (2 * b**2), exp(2 * r) / (2 * b**2)
n, shifted = (y - mu) / exp(r), y - mu
without = (exp(less - y / b) * normal_cdf(z - exp(q) / b)
           + exp(less + y / b) * normal_cdf(-z - exp(q) / b)) / (2 * b)
present = (exp(more - shifted / b) * normal_cdf(n - exp(r) / b)
           + exp(more + shifted / b) * normal_cdf(-n - exp(r) / b)) / (2 * b)
tails = {"b": b, "d": mu, "q": q, "r": r, "epsilon": epsilon}  # F8b about these laws
M, out = exp(mu / b + more), {y: mu + exp(2 * r) / b + exp(r) * t}
loss, gap = mu / b + more - less, M - E * exp(less)
fails = implies(t > 0 and t * gap > M, at(present, out) > E * at(without, out)) and gap > 0
P, Q = mean(c(x + mu), x), mean(a(x) * c(x), x)
private = P <= E * Q + 1 - kept and Q <= E * P + 1 - kept

Claim(
    id="G21", source=paper("gaussian-priors", "(11)"), result=REPAIRED,
    words="For large K adding Laplace noise with b = mu/epsilon attains epsilon-pufferfish privacy",
    printed=denied(
        words="For every K > 1 the sum with the user exceeds e^epsilon times that without, at "
              "every output mu + s^2/b + s t with t large enough: delta = 0 fails for every K",
        given={"K": K > 1}, example=instance(mu=1, epsilon=1, sigma=1, K=2), meets={t: 20},
        statement=fails,
        steps=[
            step("F8", implies(t > 0 and t * gap > M, at(present, out) > E * at(without, out)),
                 theorem("F8b", tails, "K")),
            step("loss", loss > epsilon, arithmetic("K")),
            step("gap", iff(loss > epsilon, gap > 0), theorem("F8b", tails, "K")),
            step("all", fails, arithmetic("F8", "loss", "gap")),
        ],
    ),
    corrected=proved(
        words="Only delta goes to 0: delta = 1 - s'/s = 1 - sqrt((K-1)/K) is enough (s' phi_s' <= "
              "s phi_s)",
        given={"less": a(x) <= 1 / kept, "mass": mean(a(x), x) == 1, "event": c(u) <= 1,
               "Laplace": c(u) <= exp(abs(u - v) / b) * c(v)},
        example=instance(mu=1, epsilon=1, narrow=1, wide=2, W=law({0: 1/2, 1: 1/2}), a={0: 2},
                         c={}),
        statement=private,
        steps=[
            step("scale", exp(abs(mu) / b) <= E, arithmetic()),
            step("all", private, theorem("F8d", {"b": b, "mu": mu, "E": E, "kept": kept},
                                         "less", "mass", "event",
                                         "Laplace", "scale")),
        ],
    ),
    breaks=[edit("drop K", "F8")],
)
