"""F8: the order (j over i) of two normal priors, s_j >= s_i, is private only if its tail is.

As in F8 the origin is the mean of i, the axis points to that of j, d away; s_i = e^q, s_j = e^r.
"""
from pfverify.proof.language import *

b, (d, q, r, epsilon) = positive("b"), constants("d q r epsilon")
(m, s), (y, t, x) = constants("m s"), variables("y t x")
p = (exp(s**2 / (2 * b**2) - (y - m) / b) * normal_cdf((y - m) / s - s / b)
     + exp(s**2 / (2 * b**2) + (y - m) / b) * normal_cdf((m - y) / s - s / b)) / (2 * b)
i, j, E = {m: 0, s: exp(q)}, {m: d, s: exp(r)}, exp(epsilon)
p_i, p_j, M = at(p, i), at(p, j), exp(m / b + s**2 / (2 * b**2))
M_i, M_j, loss = at(M, i), at(M, j), d / b + (exp(2 * r) - exp(2 * q)) / (2 * b**2)
gap, top = M_j - E * M_i, {y: d + exp(2 * r) / b + exp(r) * t}
out = 2 * b * exp(at(y, top) / b)
fails = implies(t > 0 and t * gap > M_j, at(p_j, top) > E * at(p_i, top))

Claim(
    id="F8b", source=paper("design", "F8"), result=PROVED,
    words="With Laplace(b) noise, N(m_j, s_j^2) is at most e^epsilon N(m_i, s_i^2), s_j >= s_i, "
          "only if |m_i - m_j|/b + (s_j^2 - s_i^2)/2b^2 <= epsilon: the limit of the log ratio",
    printed=proved(
        words="Where the loss of the tail is more than epsilon, gap > 0, and the bound fails at "
              "every output d + s_j^2/b + s_j t with t > e^(d/b + s_j^2/2b^2) / gap",
        statement=fails and iff(loss > epsilon, gap > 0),
        example=instance(b=1, d=1, q=0, r=0, epsilon=0), meets={t: 3},
        steps=[
            step("above", M_j * (1 - normal_tail(t)) <= out * at(p_j, top), arithmetic()),
            step("below", 2 * b * exp(y / b) * p_i <= M_i, theorem("F7b", {"s": exp(q), "m": 0})),
            step("scaled", out * E * at(p_i, top) <= E * M_i, arithmetic(use("below", top))),
            step("Mills", t * normal_tail(t) <= 1, theorem("F30", {})),
            step("part", implies(t > 0 and t * gap > M_j, M_j * (1 - normal_tail(t)) > E * M_i),
                 arithmetic("Mills")),
            step("cancel", implies(x > 0 and x * y > x * t, y > t), arithmetic()),
            step("out", out > 0, arithmetic()),
            step("fails", fails, arithmetic("part", "above", "scaled", "out", use("cancel", {
                x: out, y: at(p_j, top), t: E * at(p_i, top)}))),
            step("gap", iff(loss > epsilon, gap > 0), arithmetic()),
        ],
    ),
    breaks=[
        edit("out = b * exp(at(y, top) / b)", "above"),
        edit("top = {y: d}", "above"),
    ],
)
