"""Corollary 1 (a): the others' sum N(M, S), or with user k N(M + mu, S + s^2); c as in G07."""
from pfverify.proof.language import *

b, epsilon, s = positive("b epsilon s")  # s^2: the variance of user k
M, mu, tau, S, delta = constants("M mu tau S delta")  # S: 0 if there are no others
t, u, v = variables("t u v")
x, z = draws("x", "others"), draws("z", "user")
c = masses("c")
E, wide, narrow = exp(epsilon), sqrt(S + s**2), sqrt(S)
with_k, without = c(M + mu + wide * v), c(M + narrow * v)
leaves = integral(normal_pdf(v) * (with_k - E * without), v, -oo, oo)
joins = integral(normal_pdf(v) * (without - E * with_k), v, -oo, oo)
to_k, from_k = {"m_i": M + mu, "s_i": wide, "m_j": M, "s_j": narrow}, {
    "m_j": M + mu, "s_j": wide, "m_i": M, "s_i": narrow}
far, near = exp(-abs(t - x - z) / b), exp(-abs(t - x) / b)
either = leaves <= delta and joins <= delta
there, gone = mean(far, x, z), mean(near, x)
both, slow, fast = there <= E * gone and gone <= E * there, exp(-abs(z) / b), exp(abs(z) / b)

Claim(
    id="G16", source=paper("gaussian-priors", "Corollary 1 (a)"), result=PROVED,
    words="The scale (9) gives (epsilon, delta)-privacy of the sum with user k against the sum "
          "without, in both orders",
    printed=proved(
        given={"S": S >= 0, "(9)": b >= (abs(mu) + (wide - narrow) * tau) / epsilon,
               "sign": tau >= 0, "tau": normal_tail(tau) <= delta / 2, "event": c(u) <= 1,
               "Laplace": c(u) <= exp(abs(u - v) / b) * c(v)},
        example=instance(S=0, s=1, b=4, epsilon=1, M=0, mu=1, tau=2, delta=1/5, c={}),
        statement=either,
        steps=[
            step("wider", narrow <= wide, arithmetic("S")),
            step("(5)", b >= (abs(mu) + abs(wide - narrow) * tau) / epsilon,
                 arithmetic("(9)", "wider")),
            step("leaves", leaves <= delta, theorem(
                "G07", to_k, "(5)", "sign", "tau", "event", "Laplace")),
            step("joins", joins <= delta, theorem(
                "G07", from_k, "(5)", "sign", "tau", "event", "Laplace")),
            step("all", either, arithmetic("leaves", "joins")),
        ],
    ),
    tighter=proved(
        words="With delta = 0, for any laws: if E e^(|Z_k|/b) <= e^epsilon, both orders hold",
        given={"exists": integrable(fast, z), "moment": mean(fast, z) <= E},
        example=instance(b=1, epsilon=2, others=law({0: 1}), user=law({0: 1/2, 1: 1/2})),
        statement=both,
        steps=[
            step("triangle", far <= near * fast, arithmetic()),
            step("back", near * slow <= far, arithmetic()),
            step("tangent", 2 / E - fast / E**2 <= slow, arithmetic()),
            step("with", there <= gone * mean(fast, z), integrate("triangle", x, z)),
            step("without", gone * mean(slow, z) <= there, integrate("back", x, z)),
            step("Jensen", 2 / E - mean(fast, z) / E**2 <= mean(slow, z), integrate("tangent", z)),
            step("near", 0 <= near, arithmetic()),
            step("gone", 0 <= gone, integrate("near", x)),
            step("kept", 1 <= E * mean(slow, z), arithmetic("Jensen", "moment")),
            step("both", both, arithmetic("with", "without", "moment", "kept", "gone")),
        ],
    ),
)
