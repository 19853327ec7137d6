"""Section III-A: for point masses (5) is the l1-sensitivity scale, and exact."""
from pfverify.proof.language import *

b, epsilon = positive("b epsilon")
m_i, m_j, tau = constants("m_i m_j tau")
y = variables("y")
E, scale = exp(epsilon), (abs(m_i - m_j) + abs(0 - 0) * tau) / epsilon  # (5), s_i = s_j = 0
p, q = exp(-abs(y - m_i) / b) / (2 * b), exp(-abs(y - m_j) / b) / (2 * b)

Claim(
    id="G14", source=paper("gaussian-priors", "Section III-A"), result=PROVED,
    words="With s_i = s_j = 0 the scale (5) is |m_i - m_j|/epsilon, and the release of two points "
          "is epsilon-private there",
    printed=proved(
        statement=scale == abs(m_i - m_j) / epsilon
        and implies(b >= scale, p <= E * q and q <= E * p),
        steps=[
            step("scale", scale == abs(m_i - m_j) / epsilon, identity()),
            step("distance", implies(b >= scale, abs(m_i - m_j) / b <= epsilon), arithmetic()),
            step("p", implies(b >= scale, p <= E * q), arithmetic("distance")),
            step("q", implies(b >= scale, q <= E * p), arithmetic("distance")),
            step("all", scale == abs(m_i - m_j) / epsilon
                 and implies(b >= scale, p <= E * q and q <= E * p),
                 arithmetic("scale", "p", "q")),
        ],
    ),
    tighter=proved(
        words="and at no smaller one: at y = m_i the ratio is e^(|m_i - m_j|/b)",
        given={"private": p <= E * q}, example=instance(b=1, epsilon=1, m_i=0, m_j=1, tau=0),
        statement=b >= scale,
        steps=[
            step("ratio", at(p, {y: m_i}) == exp(abs(m_i - m_j) / b) * at(q, {y: m_i}),
                 arithmetic()),
            step("loss", abs(m_i - m_j) / b <= epsilon,
                 arithmetic("ratio", use("private", {y: m_i}))),
            step("scale", b >= scale, arithmetic("loss")),
        ],
    ),
)
