"""F30: the tail of the standard normal law is at most its density divided by t."""
from pfverify.proof.language import *

t, v = variables("t v")
moment = integral(v * normal_pdf(v), v, t, oo)
constant = integral(t * normal_pdf(v), v, t, oo)

Claim(
    id="F30", source=paper("design", "F30"), result=PROVED,
    words="For every t, t Q(t) is at most phi(t) and at most 1, with the density phi and the tail "
          "Q of the standard normal law (for t > 0 this bounds Mills' ratio by 1/t)",
    printed=proved(
        statement=t * normal_tail(t) <= normal_pdf(t) and t * normal_tail(t) <= 1,
        steps=[
            step("constant", constant == t * normal_tail(t), antiderivative(t * normal_cdf(v))),
            step("moment", moment == normal_pdf(t), antiderivative(-normal_pdf(v))),
            step("farther", implies(t <= v, t * normal_pdf(v) <= v * normal_pdf(v)), arithmetic()),
            step("tail", constant <= moment, integrate("farther", v, between=(t, oo))),
            step("Mills", t * normal_tail(t) <= normal_pdf(t),
                 arithmetic("constant", "moment", "tail")),
            step("peak", normal_pdf(t) <= 1, arithmetic()),
            step("at most 1", t * normal_tail(t) <= 1, arithmetic("Mills", "peak")),
        ],
    ),
    breaks=[
        edit("moment = integral(normal_pdf(v), v, t, oo)", "moment"),
        edit("statement = t * normal_tail(t) <= normal_pdf(t) / 4", "the statement",
             instance(), {t: 1}),
    ],
)
