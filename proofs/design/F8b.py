"""F8: the order (j over i) of two normal priors, s_j >= s_i, is private only if its tail is.

As in F8 the origin is the mean of i, the axis points to that of j, d away; s_i = e^q, s_j = e^r.
"""
from pfverify.proof.language import *

b = positive("b")
d, q, r, epsilon = constants("d q r epsilon")
y, t, x = variables("y t x")
s_i, s_j, E = exp(q), exp(r), exp(epsilon)
p_i = (exp(s_i**2 / (2 * b**2) - y / b) * normal_cdf(y / s_i - s_i / b)
       + exp(s_i**2 / (2 * b**2) + y / b) * normal_cdf(-y / s_i - s_i / b)) / (2 * b)
p_j = (exp(s_j**2 / (2 * b**2) - (y - d) / b) * normal_cdf((y - d) / s_j - s_j / b)
       + exp(s_j**2 / (2 * b**2) + (y - d) / b) * normal_cdf((d - y) / s_j - s_j / b)) / (2 * b)
loss = d / b + (s_j**2 - s_i**2) / (2 * b**2)
M_i, M_j = exp(s_i**2 / (2 * b**2)), exp(d / b + s_j**2 / (2 * b**2))
gap = M_j - E * M_i
tail_i = 2 * b * exp(y / b) * p_i  # rises to M_i
rise = derivative(tail_i, y)
top = d + s_j**2 / b + s_j * t
moment, constant = integral(x * normal_pdf(x), x, t, oo), integral(t * normal_pdf(x), x, t, oo)

Claim(
    id="F8b", source=paper("design", "F8"), result=PROVED,
    words="With Laplace(b) noise, N(m_j, s_j^2) is at most e^epsilon N(m_i, s_i^2), s_j >= s_i, "
          "only if |m_i - m_j|/b + (s_j^2 - s_i^2)/2b^2 <= epsilon: the limit of the log ratio",
    printed=proved(
        given={"private": p_j <= E * p_i}, example=instance(b=1, d=0, q=0, r=0, epsilon=1),
        statement=loss <= epsilon,
        steps=[
            step("rises", integral(rise, y, x, oo) == M_i - at(tail_i, {y: x}),
                 antiderivative(tail_i)),
            step("rise", 0 <= rise, arithmetic()),
            step("below", 0 <= integral(rise, y, x, oo), integrate("rise", y, between=(x, oo))),
            step("above", M_j * (1 - normal_tail(t)) <= 2 * b * exp(top / b) * at(p_j, {y: top}),
                 arithmetic()),
            step("constant", constant == t * normal_tail(t), antiderivative(t * normal_cdf(x))),
            step("moment", moment == normal_pdf(t), antiderivative(-normal_pdf(x))),
            step("farther", implies(t <= x, t * normal_pdf(x) <= x * normal_pdf(x)), arithmetic()),
            step("Mills", constant <= moment, integrate("farther", x, between=(t, oo))),
            step("peak", normal_pdf(t) <= 1, arithmetic()),
            step("tail", t * normal_tail(t) <= 1,
                 arithmetic("Mills", "constant", "moment", "peak")),
            step("below M", tail_i <= M_i, arithmetic(use("rises", {x: y}), use("below", {x: y}))),
            step("scaled", 2 * b * exp(y / b) * p_j <= E * tail_i, arithmetic("private")),
            step("limit of i", 2 * b * exp(y / b) * p_j <= E * M_i,
                 arithmetic("scaled", "below M")),
            step("top", M_j * (1 - normal_tail(t)) <= E * M_i,
                 arithmetic("above", use("limit of i", {y: top}))),
            step("all t", implies(t > 0, t * gap <= M_j), arithmetic("top", "tail")),
            step("limit", M_j <= E * M_i,
                 arithmetic(use("all t", {t: 2 * M_j / maximum(gap, indicator(-gap))}))),
            step("only if", loss <= epsilon, arithmetic("limit")),
        ],
    ),
)
