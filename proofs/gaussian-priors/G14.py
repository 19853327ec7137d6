"""Section III-A: for point masses (5) is the l1-sensitivity scale, and exact."""
from pfverify.proof.language import *

b, epsilon = positive("b epsilon")
m_i, m_j = constants("m_i m_j")
y = variables("y")
E, scale = exp(epsilon), abs(m_i - m_j) / epsilon  # (5) with s_i = s_j = 0
p, q = exp(-abs(y - m_i) / b) / (2 * b), exp(-abs(y - m_j) / b) / (2 * b)

Claim(
    id="G14", source=paper("gaussian-priors", "Section III-A"), result=PROVED,
    words="With s_i = s_j = 0, where (5) reads |m_i - m_j|/epsilon, the release of two points is "
          "epsilon-private",
    printed=proved(
        statement=implies(b >= scale, p <= E * q and q <= E * p),
        steps=[
            step("distance", implies(b >= scale, abs(m_i - m_j) / b <= epsilon), arithmetic()),
            step("p", implies(b >= scale, p <= E * q), arithmetic("distance")),
            step("q", implies(b >= scale, q <= E * p), arithmetic("distance")),
            step("all", implies(b >= scale, p <= E * q and q <= E * p), arithmetic("p", "q")),
        ],
    ),
    tighter=proved(
        words="and at no smaller one: at y = m_i the ratio is e^(|m_i - m_j|/b)",
        given={"private": p <= E * q}, example=instance(b=1, epsilon=1, m_i=0, m_j=1),
        statement=b >= scale,
        steps=[
            step("ratio", at(p, {y: m_i}) == exp(abs(m_i - m_j) / b) * at(q, {y: m_i}),
                 arithmetic()),
            step("loss", abs(m_i - m_j) / b <= epsilon,
                 arithmetic("ratio", use("private", {y: m_i}))),
            step("scale", b >= scale, arithmetic("loss")),
        ],
    ),
    breaks=[edit("drop private", "loss", instance(b=1/2, epsilon=1, m_i=0, m_j=1))],
)
