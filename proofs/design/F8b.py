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
top = {y: d + s_j**2 / b + s_j * t}
moment, constant = integral(x * normal_pdf(x), x, t, oo), integral(t * normal_pdf(x), x, t, oo)
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
            step("rises", integral(rise, y, x, oo) == M_i - at(tail_i, {y: x}),
                 antiderivative(tail_i)),
            step("rise", 0 <= rise, arithmetic()),
            step("below", 0 <= integral(rise, y, x, oo), integrate("rise", y, between=(x, oo))),
            step("above", M_j * (1 - normal_tail(t)) <= 2 * b * exp(at(y, top) / b) * at(p_j, top),
                 arithmetic()),
            step("constant", constant == t * normal_tail(t), antiderivative(t * normal_cdf(x))),
            step("moment", moment == normal_pdf(t), antiderivative(-normal_pdf(x))),
            step("farther", implies(t <= x, t * normal_pdf(x) <= x * normal_pdf(x)), arithmetic()),
            step("Mills", constant <= moment, integrate("farther", x, between=(t, oo))),
            step("peak", normal_pdf(t) <= 1, arithmetic()),
            step("tail", t * normal_tail(t) <= 1,
                 arithmetic("Mills", "constant", "moment", "peak")),
            step("below M", tail_i <= M_i, arithmetic(use("rises", {x: y}), use("below", {x: y}))),
            step("M_j > 0", M_j > 0 and E * M_i > 0, arithmetic()),
            step("part", implies(t > 0 and t * gap > M_j, M_j * (1 - normal_tail(t)) > E * M_i),
                 arithmetic("tail", "M_j > 0")),
            step("scaled", E * at(tail_i, top) <= E * M_i, arithmetic(use("below M", top))),
            step("cancel", implies(x > 0 and x * y > x * t, y > t), arithmetic()),
            step("scale", 2 * b * exp(at(y, top) / b) > 0, arithmetic()),
            step("fails", fails, arithmetic("part", "above", "scaled", "scale", use("cancel", {
                x: 2 * b * exp(at(y, top) / b), y: at(p_j, top), t: E * at(p_i, top)}))),
            step("gap", iff(loss > epsilon, gap > 0), arithmetic()),
            step("all", fails and iff(loss > epsilon, gap > 0), arithmetic("fails", "gap")),
        ],
    ),
)
