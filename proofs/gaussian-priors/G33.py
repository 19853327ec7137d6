"""(21): the Gaussian tail bound, strictly."""
from pfverify.proof.language import *

t = positive("t")
v = variables("v")
bound = exp(-t**2 / 2) / (sqrt(2 * PI) * t)
slope = v * normal_pdf(v) / t
tail, first = integral(slope, v, t + 1, oo), integral(slope, v, t, t + 1)

Claim(
    id="G33", source=paper("gaussian-priors", "(21)"), result=PROVED,
    words="Pr(Z > t) <= e^(-t^2/2) / (sqrt(2 pi) t) for every t > 0, with a gap of at least "
          "Pr(Z > t + 1) / t",
    printed=proved(
        statement=normal_tail(t) + normal_tail(t + 1) / t <= bound and normal_tail(t) < bound,
        steps=[
            step("tail", integral((1 + 1 / t) * normal_pdf(v), v, t + 1, oo)
                 == (1 + 1 / t) * normal_tail(t + 1), antiderivative((1 + 1 / t) * normal_cdf(v))),
            step("tail bound", tail == normal_pdf(t + 1) / t, antiderivative(-normal_pdf(v) / t)),
            step("start", integral(normal_pdf(v), v, t, t + 1) == normal_tail(t)
                 - normal_tail(t + 1), antiderivative(normal_cdf(v))),
            step("start bound", first == bound - normal_pdf(t + 1) / t,
                 antiderivative(-normal_pdf(v) / t)),
            step("right", implies(t + 1 <= v, (1 + 1 / t) * normal_pdf(v) <= slope), arithmetic()),
            step("right tail", integral((1 + 1 / t) * normal_pdf(v), v, t + 1, oo) <= tail,
                 integrate("right", v, between=(t + 1, oo))),
            step("left", implies(t <= v and v <= t + 1, normal_pdf(v) <= slope), arithmetic()),
            step("left part", integral(normal_pdf(v), v, t, t + 1) <= first,
                 integrate("left", v, between=(t, t + 1))),
            step("both", normal_tail(t) + normal_tail(t + 1) / t <= bound
                 and normal_tail(t) < bound, arithmetic(
                     "tail", "tail bound", "start", "start bound", "right tail", "left part")),
        ],
    ),
    breaks=[
        edit("tail bound = tail == 2 * normal_pdf(t + 1) / t", "tail bound"),
        edit("bound = exp(-t**2) / (sqrt(2 * PI) * t)", "start bound", instance(t=1)),
    ],
)
