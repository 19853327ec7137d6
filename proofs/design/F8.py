"""F8: the order (j over i) of two normal priors, s_j >= s_i, is private if its tail is (and F8b).

The origin is the mean of i and the axis points to the mean of j, d away; s_i = e^q, s_j = e^r. On
the way from i to j, e^(-(distance + variance / 2b) / b) times the release does not grow, at any
output.
"""
from pfverify.proof.language import *

b, (y, t), (d, q, r, epsilon) = positive("b"), variables("y t"), constants("d q r epsilon")
s, way = exp(q + (r - q) * t), y - d * t  # on the way: t = 0 is i, t = 1 is j
near = exp(s**2 / (2 * b**2) - way / b) * normal_cdf(way / s - s / b)
far = exp(s**2 / (2 * b**2) + way / b) * normal_cdf(-way / s - s / b)
p = (near + far) / (2 * b)
p_i, p_j = at(p, {t: 0}), at(p, {t: 1})
loss, E = d / b + (exp(2 * r) - exp(2 * q)) / (2 * b**2), exp(epsilon)
fade, grown = exp(-d * t / b - s**2 / (2 * b**2)), s**2 / b**2 * normal_pdf(way, 0, s)
rate = d * far / b**2 + (r - q) * grown  # fade * p falls at fade * it
M_j = exp(d / b + exp(2 * r) / (2 * b**2))

Claim(
    id="F8", source=paper("design", "F8"), result=PROVED,
    words="With Laplace(b) noise, N(m_j, s_j^2) is at most e^epsilon N(m_i, s_i^2), s_j >= s_i, "
          "if |m_i - m_j|/b + (s_j^2 - s_i^2)/2b^2 <= epsilon",
    printed=proved(
        given={"apart": d >= 0, "spread": q <= r}, example=instance(b=1, d=1, q=0, r=1, epsilon=5),
        statement=implies(loss <= epsilon, p_j <= E * p_i),
        steps=[
            step("way", integral(M_j * fade * rate, t, 0, 1) == exp(loss) * p_i - p_j,
                 antiderivative(-M_j * fade * p)),
            step("from d", 0 <= integral(d * M_j * fade * far / b**2, t, 0, 1),
                 integrate("apart", t, weight=M_j * fade * far / b**2, between=(0, 1))),
            step("from s", 0 <= integral((r - q) * M_j * fade * grown, t, 0, 1),
                 integrate("spread", t, weight=M_j * fade * grown, between=(0, 1))),
            step("falls", 0 <= integral(M_j * fade * rate, t, 0, 1),
                 arithmetic("from d", "from s")),
            step("bound", implies(loss <= epsilon, exp(loss) * p_i <= E * p_i), arithmetic()),
            step("loss", p_j <= exp(loss) * p_i, arithmetic("way", "falls")),
            step("all", implies(loss <= epsilon, p_j <= E * p_i), arithmetic("loss", "bound")),
        ],
    ),
    breaks=[
        edit("drop spread", "from s"),
        edit("drop apart", "from d"),
    ],
)
