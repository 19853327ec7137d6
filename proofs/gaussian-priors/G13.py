"""Remark 1: translation priors are private at scale |mu_i - mu_j|/epsilon.

P is any law. The printed shift has the other sign: the claim is the same, as only its size counts.
"""
from pfverify.proof.language import *

b, epsilon = positive("b epsilon")
m_i, m_j, r = constants("m_i m_j r")
y = variables("y")
x = draws("x", "P")  # the law of X|s_i less m_i, and of X|s_j less m_j
E = exp(epsilon)
from_i, from_j = exp(-abs(y - m_i - x) / b), exp(-abs(y - m_j - x) / b)
p, q = mean(from_i, x), mean(from_j, x)
both = p <= E * q and q <= E * p

Claim(
    id="G13", source=paper("gaussian-priors", "Remark 1"), result=PROVED,
    words="If the priors are translations of each other, by any law, Laplace noise with "
          "b >= |m_i - m_j|/epsilon gives p <= e^epsilon q everywhere, in both orders",
    printed=proved(
        given={"(6)": b >= abs(m_i - m_j) / epsilon},
        example=instance(b=1, epsilon=1, m_i=0, m_j=1, P=law({0: 1/2, 3: 1/2})),
        statement=both,
        steps=[
            step("distance", abs(m_i - m_j) / b <= epsilon, arithmetic("(6)")),
            step("to j", from_i <= E * from_j, arithmetic("distance")),
            step("to i", from_j <= E * from_i, arithmetic("distance")),
            step("p", p <= E * q, integrate("to j", x)),
            step("q", q <= E * p, integrate("to i", x)),
            step("both", both, arithmetic("p", "q")),
        ],
    ),
    tighter=proved(
        words="For priors of bounded support no smaller b will do: the condition is necessary",
        given={"private": q <= E * p, "support": abs(x) <= r, "order": m_i <= m_j},
        example=instance(b=1, epsilon=1, m_i=0, m_j=1, r=0, P=law({0: 1})),
        statement=b >= abs(m_i - m_j) / epsilon,
        steps=[
            step("beyond", at(from_j, {y: m_j + r}) == exp((m_j - m_i) / b)
                 * at(from_i, {y: m_j + r}), arithmetic("support", "order")),
            step("far", at(q, {y: m_j + r}) == exp((m_j - m_i) / b) * at(p, {y: m_j + r}),
                 integrate("beyond", x)),
            step("least", exp((m_i - m_j - 2 * r) / b) <= at(from_i, {y: m_j + r}),
                 arithmetic("support", "order")),
            step("positive", exp((m_i - m_j - 2 * r) / b) <= at(p, {y: m_j + r}),
                 integrate("least", x)),
            step("factor", exp((m_j - m_i) / b) <= E,
                 arithmetic("far", "positive", use("private", {y: m_j + r}))),
            step("all", b >= abs(m_i - m_j) / epsilon, arithmetic("factor", "order")),
        ],
    ),
    breaks=[
        edit("drop (6)", "distance", instance(
            b=1/2, epsilon=1, m_i=0, m_j=1, P=law({0: 1})), {y: 0}),
    ],
)
