"""(16): the integral of [p - e^epsilon q]_+ bounds the excess of every event, and is reached."""
from pfverify.proof.language import *

s, t, E = positive("s t E")
m, n = constants("m n")
y = variables("y")
B = masses("B")
p, q = normal_pdf(y, m, s), normal_pdf(y, n, t)
more, most = B(y) * (p - E * q), maximum(p - E * q, 0)
best = indicator(p - E * q) * (p - E * q)
whole_p, both_laws = integral(p, y, -oo, oo), integral(p + E * q, y, -oo, oo)
excess, hockey = integral(more, y, -oo, oo), integral(most, y, -oo, oo)

Claim(
    id="G29", source=paper("gaussian-priors", "(16)"), result=PROVED,
    words="P(B) - e^epsilon Q(B) is at most the integral of the positive part, and equal to it for "
          "the set where p >= e^epsilon q (the other order needs an integral of its own)",
    printed=proved(
        given={"event": B(y) == 0 or B(y) == 1},
        example=instance(B={0: 1}, m=0, n=1, s=1, t=2, E=2),
        statement=excess <= hockey and integral(best, y, -oo, oo) == hockey,
        steps=[
            step("law p", whole_p == 1, antiderivative(normal_cdf(y, m, s))),
            step("laws", both_laws == 1 + E,
                 antiderivative(normal_cdf(y, m, s) + E * normal_cdf(y, n, t))),
            step("positive", p > 0 and q > 0, arithmetic()),
            step("small", abs(most) <= p, arithmetic("positive")),
            step("hockey", abs(hockey) <= whole_p, dominated("small")),
            step("small B", abs(more) <= p + E * q, arithmetic("event", "positive")),
            step("excess", abs(excess) <= both_laws, dominated("small B")),
            step("inside", more <= most, arithmetic("event")),
            step("bound", excess <= hockey, integrate("inside", y, between=(-oo, oo))),
            step("where more", best == most, arithmetic()),
            step("reached", integral(best, y, -oo, oo) == hockey,
                 integrate("where more", y, between=(-oo, oo))),
        ],
    ),
    breaks=[
        edit("drop event", "small B", instance(B={0: 4}, m=0, n=0, s=1, t=1, E=2), {y: 0}),
    ],
)
