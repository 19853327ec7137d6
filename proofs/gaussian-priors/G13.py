"""Remark 1: translation priors are private at scale |mu_i - mu_j|/epsilon.

P is any law. The printed shift has the other sign: the claim is the same, as only its size counts.
"""
from pfverify.proof.language import *
from settings.events import *

(m_i, m_j, r), y = constants("m_i m_j r"), variables("y")
x = draws("x", "P")  # P: the law of X|s_i less m_i, and of X|s_j less m_j
from_i, from_j = exp(-abs(y - m_i - x) / b), exp(-abs(y - m_j - x) / b)
p, q, out, ratio = mean(from_i, x), mean(from_j, x), {y: m_j + r}, exp((m_j - m_i) / b)

Claim(
    id="G13", source=paper("gaussian-priors", "Remark 1"), result=PROVED,
    words="If the priors are translations of each other, by any law, Laplace noise with "
          "b >= |m_i - m_j|/epsilon gives p <= e^epsilon q everywhere, in both orders",
    printed=proved(
        given={"(6)": b >= abs(m_i - m_j) / epsilon},
        example=instance(b=1, epsilon=1, m_i=0, m_j=1, P=law({0: 1/2, 3: 1/2})),
        statement=p <= E * q and q <= E * p,
        steps=[
            step("distance", abs(m_i - m_j) / b <= epsilon, arithmetic("(6)")),
            step("p", p <= E * q, termwise(arithmetic("distance"), x)),
            step("q", q <= E * p, termwise(arithmetic("distance"), x)),
        ],
    ),
    tighter=proved(
        words="For priors of bounded support no smaller b will do: the condition is necessary",
        given={"private": q <= E * p, "support": abs(x) <= r, "order": m_i <= m_j},
        example=instance(b=1, epsilon=1, m_i=0, m_j=1, r=0, P=law({0: 1})),
        statement=b >= abs(m_i - m_j) / epsilon,
        steps=[
            step("far", at(q, out) == ratio * at(p, out),
                 termwise(arithmetic("support", "order"), x)),
            step("positive", exp((m_i - m_j - 2 * r) / b) <= at(p, out),
                 termwise(arithmetic("support", "order"), x)),
            step("factor", ratio <= E, arithmetic("far", "positive", use("private", out))),
            step("all", b >= abs(m_i - m_j) / epsilon, arithmetic("factor", "order")),
        ],
    ),
    breaks=[
        edit("drop (6)", "distance", instance(
            b=1/2, epsilon=1, m_i=0, m_j=1, P=law({0: 1})), {y: 0}),
        edit("drop private", "factor", instance(
            b=1/2, epsilon=1, m_i=0, m_j=1, r=0, P=law({0: 1}))),
    ],
)
