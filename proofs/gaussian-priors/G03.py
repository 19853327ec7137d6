"""(3): the linear map T carries the one normal law to the other."""
from pfverify.proof.language import *

s_i, s_j = positive("s_i s_j")
m_i, m_j = constants("m_i m_j")
x, u, v, t = variables("x u v t")
T = m_j + s_j / s_i * (x - m_i)
edge = m_i + s_i / s_j * (u - m_j)
carried = integral(normal_pdf(x, m_i, s_i), x, -oo, edge)  # T(x) <= u
image = integral(normal_pdf(v, m_j, s_j), v, -oo, u)
both = (integral(normal_pdf(t), t, -oo, (u - m_i) / s_i) == normal_cdf(u, m_i, s_i)  # X <= u
        and integral(normal_pdf(t), t, -oo, (u - m_j) / s_j) == normal_cdf(u, m_j, s_j))
statement = carried == image and implies(T <= u, x <= edge) and implies(x <= edge, T <= u)

Claim(
    id="G03", source=paper("gaussian-priors", "(3)"), result=PROVED,
    words="If X is N(m_i, s_i^2), then T(X) = m_j + (s_j/s_i)(X - m_i) is N(m_j, s_j^2)",
    printed=proved(
        statement=statement,
        steps=[
            step("of X", carried == normal_cdf(edge, m_i, s_i),
                 antiderivative(normal_cdf(x, m_i, s_i))),
            step("of X'", image == normal_cdf(u, m_j, s_j),
                 antiderivative(normal_cdf(v, m_j, s_j))),
            step("same", carried == image, arithmetic("of X", "of X'")),
            step("event", implies(T <= u, x <= edge) and implies(x <= edge, T <= u), arithmetic()),
        ],
    ),
    tighter=proved(
        words="It is the coupling X = m_i + s_i Z, X' = m_j + s_j Z with one standard normal Z: in "
              "these words nothing is divided by s_i, which T needs to be more than 0",
        statement=both,
        steps=[
            step("X", integral(normal_pdf(t), t, -oo, (u - m_i) / s_i) == normal_cdf(u, m_i, s_i),
                 antiderivative(normal_cdf(t))),
            step("X'", integral(normal_pdf(t), t, -oo, (u - m_j) / s_j) == normal_cdf(u, m_j, s_j),
                 antiderivative(normal_cdf(t))),
        ],
    ),
    breaks=[
        edit("T = m_j + x - m_i", "event", instance(s_i=1, s_j=2, m_i=0, m_j=0), {x: 1, u: 1}),
        edit("edge = m_i + s_i / s_j * u", "same"),
    ],
)
