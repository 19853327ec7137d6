"""Appendix B: e^epsilon is lost in both displays, and the bars in the condition on b."""
from pfverify.proof.language import *

b, epsilon = positive("b epsilon")
mu, nu = constants("mu nu")  # mu_i and mu_j
y = variables("y")
x = draws("x", "P")  # any prior
E, d = exp(epsilon), abs(mu - nu)
near, far = exp(-abs(y - x) / b) / (2 * b), exp(-abs(y - x - nu + mu) / b) / (2 * b)
p, q = mean(near, x), mean(far, x)
first = p - E * q == mean(near - far, x)
condition = implies(b >= (mu - nu) / epsilon, p <= E * q)
corrected_first = p - E * q == mean(near - E * far, x)
bound = p - E * q <= (1 - exp(epsilon - d / b)) * p
private = implies(b >= d / epsilon, p <= E * q)

Claim(
    id="G36", source=paper("gaussian-priors", "Appendix B"), result=REPAIRED,
    words="p - e^epsilon q is the mean of the difference of the kernels, and b >= (mu_i - mu_j) / "
          "epsilon makes it at most 0",
    printed=refuted(
        words="Both fail for a move from 0 to 1 with b = 1/10 and epsilon = 1, at y = 0",
        statement=first or condition, at={y: 0},
        instance=instance(P=law({0: 1}), mu=0, nu=1, b=1/10, epsilon=1),
    ),
    corrected=proved(
        words="With e^epsilon in both displays and |mu_i - mu_j| in the condition it holds",
        statement=corrected_first and bound and private,
        steps=[
            step("display", corrected_first, identity()),
            step("mean", exp(-d / b) * p <= q, termwise(arithmetic(), x)),
            step("bound", bound, arithmetic("mean")),
            step("p", 0 <= p, termwise(arithmetic(), x)),
            step("scale", implies(b >= d / epsilon, exp(epsilon - d / b) >= 1), arithmetic()),
            step("private", private, arithmetic("bound", "p", "scale")),
        ],
    ),
    breaks=[
        edit("d = mu - nu", "mean", instance(P=law({0: 1}), mu=0, nu=1, b=1, epsilon=1), {y: 0}),
    ],
)
