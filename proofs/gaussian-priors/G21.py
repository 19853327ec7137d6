"""Below (11): b = mu/epsilon gives epsilon-privacy for no number of users, only a small delta."""
from pfverify.proof.language import *

mu, sigma, epsilon, K, narrow, wide = positive("mu sigma epsilon K narrow wide")
v = variables("v")
x, o = indices("x", "X"), indices("o", "Y")
W, A, B = masses("W A B")  # the sums with and without user k, less mu; the outputs in an event
b, E, kept = mu / epsilon, exp(epsilon), narrow / wide
loss = mu / b + (K * sigma**2 - (K - 1) * sigma**2) / (2 * b**2)  # of F8
f, f_mu = total(B(o) * exp(-abs(o - x) / b), o), total(B(o) * exp(-abs(o - x - mu) / b), o)
P, Q = total(W(x) * f_mu, x), total(A(x) * f, x)
private = P <= E * Q + 1 - kept and Q <= E * P + 1 - kept
normal = implies(narrow <= wide, kept * normal_pdf(v, 0, narrow) <= normal_pdf(v, 0, wide))

Claim(
    id="G21", source=paper("gaussian-priors", "(11)"), result=REPAIRED,
    words="For large K adding Laplace noise with b = mu/epsilon attains epsilon-pufferfish privacy",
    printed=refuted(
        words="mu = sigma = epsilon = 1, a million users: not private (and for no K, by F8)",
        statement=loss <= epsilon, instance=instance(mu=1, sigma=1, K=10**6),
        problem=problem(normal_prior(1, variance=10**6), normal_prior(0, variance=10**6 - 1),
                        epsilon=1, scale=1),
        binds={"epsilon": "epsilon"},
    ),
    corrected=proved(
        words="The tail's log ratio is epsilon + sigma^2 epsilon^2/2mu^2 for every K (F8), "
              "so delta = 0 fails; but delta = 1 - s'/s = 1 - sqrt((K-1)/K) holds, where s' "
              "phi_s' <= s phi_s",
        given={"less": kept * A(x) <= W(x), "mass": total(W(x), x) == 1 and total(A(x), x) == 1,
               "noise": f <= 1, "moved": f_mu <= 1},
        example=instance(mu=1, epsilon=1, sigma=1, K=2, narrow=1, wide=2, X=[0, 1], Y=[0],
                         A={0: 1}, W={0: 1/2, 1: 1/2}, B={0: 1/2}),
        statement=loss > epsilon and normal and private,
        steps=[
            step("loss", loss > epsilon, arithmetic()),
            step("normal", normal, arithmetic()),
            step("kernel", exp(-abs(o - x - mu) / b) <= E * exp(-abs(o - x) / b), arithmetic()),
            step("back", exp(-abs(o - x) / b) <= E * exp(-abs(o - x - mu) / b), arithmetic()),
            step("positive", 0 <= exp(-abs(o - x) / b), arithmetic()),
            step("f_mu", f_mu <= E * f, integrate("kernel", o, weight=B(o))),
            step("f", f <= E * f_mu, integrate("back", o, weight=B(o))),
            step("f >= 0", 0 <= f, integrate("positive", o, weight=B(o))),
            step("W", W(x) * f_mu <= kept * E * A(x) * f + W(x) - kept * A(x),
                 arithmetic("less", "f_mu", "moved")),
            step("A", kept * A(x) * f <= E * W(x) * f_mu, arithmetic("less", "f", "f >= 0")),
            step("P", P <= kept * E * Q + total(W(x), x) - kept * total(A(x), x),
                 integrate("W", x)),
            step("Q", kept * Q <= E * P, integrate("A", x)),
            step("at most 1", Q <= total(A(x), x), integrate("noise", x, weight=A(x))),
            step("at least 0", 0 <= Q, integrate("f >= 0", x, weight=A(x))),
            step("sums", kept * total(A(x), x) <= total(W(x), x), integrate("less", x)),
            step("all", loss > epsilon and normal and private, arithmetic(
                "loss", "normal", "P", "Q", "at most 1", "at least 0", "sums", "mass")),
        ],
    ),
)
