"""Theorem 1: Laplace noise of the scale (5) makes normal priors (epsilon, delta)-private.

The excess is P(B|s_i) - e^epsilon P(B|s_j) under the map T, X = m_i + s_i Z, by G04.
"""
from pfverify.proof.language import *
from settings.events import *

m_i, m_j, s_i, s_j, delta, tau = constants("m_i m_j s_i s_j delta tau")  # s_i, s_j may be 0
i_v, j_v = m_i + s_i * v, m_j + s_j * v  # v: the values of Z
to, fro = c(i_v) - E * c(j_v), c(j_v) - E * c(i_v)
excess = integral(normal_pdf(v) * to, v, -oo, oo)
exchanged = integral(normal_pdf(v) * fro, v, -oo, oo)
near = -tau <= v and v <= tau

Claim(
    id="G07", source=paper("gaussian-priors", "Theorem 1"), result=PROVED,
    words="With b >= (|m_i - m_j| + |s_i - s_j| tau)/epsilon, Q(tau) <= delta/2, every event has "
          "P(B) <= e^epsilon Q(B) + delta (and the same with i and j exchanged)",
    printed=proved(
        given={"(5)": b >= (abs(m_i - m_j) + abs(s_i - s_j) * tau) / epsilon, "tau >= 0": tau >= 0,
               "tau": normal_tail(tau) <= delta / 2, "event": event, "Laplace": Laplace},
        example=instance(b=4, epsilon=1, s_i=1, s_j=2, m_i=0, m_j=1, delta=1/5, tau=2,
                         c={"else": 1/2}),
        statement=excess <= delta and exchanged <= delta,
        steps=[
            step("way", implies(near, abs(i_v - j_v) / b <= epsilon),
                 arithmetic("(5)", "tau >= 0")),
            step("near i", implies(near, to <= 0), arithmetic(
                "way", use("Laplace", {u: i_v, v: j_v}))),
            step("near j", implies(near, fro <= 0), arithmetic(
                "way", use("Laplace", {u: j_v, v: i_v}))),
            step("excess", excess <= delta, theorem(
                "F16", {"K": 1 + E, "f": maps(v, to)}, "tau", "tau >= 0", "near i",
                use("event", {u: i_v}), use("event", {u: j_v}))),
            step("exchanged", exchanged <= delta, theorem(
                "F16", {"K": 1 + E, "f": maps(v, fro)}, "tau", "tau >= 0", "near j",
                use("event", {u: i_v}), use("event", {u: j_v}))),
        ],
    ),
    breaks=[
        edit("drop (5)", "way", instance(
            b=1, epsilon=1, s_i=0, s_j=0, m_i=0, m_j=2, delta=1, tau=2, c={}), {v: 0}),
        edit("drop Laplace", "near i", instance(
            b=1, epsilon=1, s_i=0, s_j=0, m_i=0, m_j=1, delta=1, tau=2, c={0: 1}), {v: 0}),
        edit("drop tau", "excess"),
    ],
)
