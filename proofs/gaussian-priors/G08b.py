"""Theorem 1 at delta = 0, which Definition 1 allows: two ways to read (5)."""
from pfverify.proof.language import *
from settings.events import *

(m_i, m_j), (tau, y) = constants("m_i m_j"), variables("tau y")
x = draws("x", "P")  # a centred law, the same for both: normal or any other
p, q = mean(exp(-abs(y - m_i - x) / b), x), mean(exp(-abs(y - m_j - x) / b), x)

Claim(
    id="G08b", source=paper("gaussian-priors", "Theorem 1"), result=BOTH_READINGS,
    words="Theorem 1 covers delta = 0",
    readings=[
        proved(
            words="tau* is the least tau with Q(tau) <= delta/2: at delta = 0 there is none, and "
                  "(5) has no value",
            statement=not (normal_tail(tau) <= 0 / 2),
            steps=[step("none", not (normal_tail(tau) <= 0 / 2), arithmetic())],
        ),
        proved(
            words="0 times infinity is 0: equal standard deviations, where (5) is |m_i - "
                  "m_j|/epsilon and both orders hold with delta = 0",
            given={"(5)": b >= abs(m_i - m_j) / epsilon},
            example=instance(b=1, epsilon=1, m_i=0, m_j=1, P=law({0: 1})),
            statement=p <= E * q and q <= E * p,
            steps=[
                step("Remark 1", p <= E * q and q <= E * p, theorem("G13", {}, "(5)")),
            ],
        ),
    ],
    breaks=[
        edit("drop (5)", "Remark 1", instance(
            b=1/2, epsilon=1, m_i=0, m_j=1, P=law({0: 1})), {y: 0}),
    ],
)
