"""Theorem 1: Laplace noise of the scale (5) makes normal priors (epsilon, delta)-private.

c(u) is the chance of an event when the data is u; with Laplace noise c(u) <= e^(|u-v|/b) c(v). The
excess is P(B|s_i) - e^epsilon P(B|s_j) under the map T, X = m_i + s_i Z, by G04.
"""
from pfverify.proof.language import *

b, epsilon = positive("b epsilon")
m_i, m_j, s_i, s_j, delta, tau = constants("m_i m_j s_i s_j delta tau")  # s_i, s_j may be 0
u, v = variables("u v")  # v: the values of Z
c, E = masses("c"), exp(epsilon)
chance = c(v)
i_v, j_v = m_i + s_i * v, m_j + s_j * v
i, j = {v: i_v}, {v: j_v}
way = abs(m_i - m_j + (s_i - s_j) * v)
density, term = normal_pdf(v), normal_pdf(v) * (at(chance, i) - E * at(chance, j))
excess, wide = integral(term, v, -oo, oo), integral((1 + E) * density, v, -oo, oo)
left, rest = integral(term, v, -oo, -tau), integral(term, v, -tau, oo)
inside, right = integral(term, v, -tau, tau), integral(term, v, tau, oo)
left_Z, right_Z = integral(density, v, -oo, -tau), integral(density, v, tau, oo)

Claim(
    id="G07", source=paper("gaussian-priors", "Theorem 1"), result=PROVED,
    words="With b >= (|m_i - m_j| + |s_i - s_j| tau)/epsilon, Q(tau) <= delta/2, every event has "
          "P(B) <= e^epsilon Q(B) + delta (and the same with i and j exchanged)",
    printed=proved(
        given={"(5)": b >= (abs(m_i - m_j) + abs(s_i - s_j) * tau) / epsilon, "tau >= 0": tau >= 0,
               "tau": normal_tail(tau) <= delta / 2, "event": c(u) <= 1,
               "Laplace": c(u) <= exp(abs(u - v) / b) * c(v)},
        example=instance(b=4, epsilon=1, s_i=1, s_j=2, m_i=0, m_j=1, delta=1/5, tau=2, c={}),
        statement=excess <= delta,
        steps=[
            step("ratio", at(chance, i) <= exp(way / b) * at(chance, j), arithmetic(
                use("Laplace", {u: i_v, v: j_v}))),
            step("way", implies(-tau <= v and v <= tau, way / b <= epsilon),
                 arithmetic("(5)", "tau >= 0")),
            step("less", implies(-tau <= v and v <= tau, at(chance, i) <= E * at(chance, j)),
                 arithmetic("way", "ratio")),
            step("near", implies(-tau <= v and v <= tau, term <= 0), arithmetic("less")),
            step("far", term <= density, arithmetic(use("event", {u: i_v}))),
            step("size", abs(term) <= (1 + E) * density, arithmetic(
                use("event", {u: i_v}), use("event", {u: j_v}))),
            step("wide", wide == 1 + E, antiderivative((1 + E) * normal_cdf(v))),
            step("exists", abs(excess) <= wide, dominated("size")),
            step("split", excess == left + rest, split_integral(-tau)),
            step("again", rest == inside + right, split_integral(tau, ["tau >= 0"])),
            step("inside", inside <= 0,
                 integrate("near", v, using=["tau >= 0"], between=(-tau, tau))),
            step("left Z", left_Z == normal_tail(tau), antiderivative(normal_cdf(v))),
            step("right Z", right_Z == normal_tail(tau), antiderivative(normal_cdf(v))),
            step("left", left <= left_Z, integrate("far", v, between=(-oo, -tau))),
            step("right", right <= right_Z, integrate("far", v, between=(tau, oo))),
            step("all", excess <= delta, arithmetic(
                "split", "again", "inside", "left", "right", "left Z", "right Z", "tau")),
        ],
    ),
)
