"""Corollary 1 (a): the others' sum N(M, S), or with user k N(M + mu, S + s^2)."""
from pfverify.proof.language import *
from settings.events import *

s, y = positive("s"), variables("y")
M, mu, tau, S, delta = constants("M mu tau S delta")  # s^2 and S: variances, S may be 0
wide, narrow = sqrt(S + s**2), sqrt(S)
with_k, without = c(M + mu + wide * v), c(M + narrow * v)  # v: the values of Z, as in G07
leaves = integral(normal_pdf(v) * (with_k - E * without), v, -oo, oo)
joins = integral(normal_pdf(v) * (without - E * with_k), v, -oo, oo)
x, z = draws("x", "others"), draws("z", "user")
gone, there = mean(exp(-abs(y - x) / b), x), mean(exp(-abs(y - x - z) / b), x, z)
fast = exp(abs(z) / b)

Claim(
    id="G16", source=paper("gaussian-priors", "Corollary 1 (a)"), result=PROVED,
    words="The scale (9) gives (epsilon, delta)-privacy of the sum with user k against the sum "
          "without, in both orders",
    printed=proved(
        given={"S": S >= 0, "(9)": b >= (abs(mu) + (wide - narrow) * tau) / epsilon,
               "sign": tau >= 0, "tau": normal_tail(tau) <= delta / 2, "event": event,
               "Laplace": Laplace},
        example=instance(S=0, s=1, b=4, epsilon=1, M=0, mu=1, tau=2, delta=1/5, c={"else": 1/2}),
        statement=leaves <= delta and joins <= delta,
        steps=[
            step("(5)", b >= (abs(mu) + abs(wide - narrow) * tau) / epsilon,
                 arithmetic("(9)", "S")),
            step("G07", leaves <= delta and joins <= delta, theorem(
                "G07", {"m_i": M + mu, "s_i": wide, "m_j": M, "s_j": narrow},
                "(5)", "sign", "tau", "event", "Laplace")),
        ],
    ),
    tighter=proved(
        words="With delta = 0, for any laws: if E e^(|Z_k|/b) <= e^epsilon, both orders hold",
        given={"exists": integrable(fast, z), "moment": mean(fast, z) <= E},
        example=instance(b=1, epsilon=2, others=law({0: 1}), user=law({0: 1/2, 1: 1/2})),
        statement=there <= E * gone and gone <= E * there,
        steps=[step("F17", there <= E * gone and gone <= E * there, theorem(
            "F17", {"E": E, "P": "others", "N": "user"}, "exists", "moment"))],
    ),
    breaks=[
        edit("drop (9)", "(5)", instance(
            S=0, s=1, b=1, epsilon=1, M=0, mu=1, tau=2, delta=1/5, c={})),
        edit("drop moment", "F17", instance(
            b=1, epsilon=1, others=law({0: 1}), user=law({2: 1})), {y: 0}),
    ],
)
