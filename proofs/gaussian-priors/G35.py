"""(23): tau* lies below the square root of W_0(2 / (pi delta^2)), strictly.

w = W_0(2 / (pi delta^2)) means w e^w = 2 / (pi delta^2), so every w > 0 belongs to one delta.
"""
from pfverify.proof.language import *

t = positive("t")  # the square root of w
u, v = variables("u v")
w, delta = t**2, 2 * normal_pdf(t) / t
slope = v * normal_pdf(v) / t
rest, first = integral(slope, v, t + 1, oo), integral(slope, v, t, t + 1)
claimed = w * exp(w) == 2 / (PI * delta**2) and implies(normal_tail(u) >= delta / 2, u < t)

Claim(
    id="G35", source=paper("gaussian-priors", "(23)"), result=PROVED,
    words="Every u with Q(u) >= delta/2, so tau* too, is less than sqrt(W_0(2 / (pi delta^2)))",
    printed=proved(
        statement=claimed,
        steps=[
            step("W_0", w * exp(w) == 2 / (PI * delta**2), identity()),
            step("tail", integral(normal_pdf(v), v, t + 1, oo) == normal_tail(t + 1),
                 antiderivative(normal_cdf(v))),
            step("start", integral(normal_pdf(v), v, t, t + 1) == normal_tail(t)
                 - normal_tail(t + 1), antiderivative(normal_cdf(v))),
            step("rest", rest == normal_pdf(t + 1) / t, antiderivative(-normal_pdf(v) / t)),
            step("first", first == (normal_pdf(t) - normal_pdf(t + 1)) / t,
                 antiderivative(-normal_pdf(v) / t)),
            step("left", implies(t <= v and v <= t + 1, normal_pdf(v) <= slope), arithmetic()),
            step("right", implies(t + 1 <= v, (1 + 1 / t) * normal_pdf(v) <= slope), arithmetic()),
            step("left part", integral(normal_pdf(v), v, t, t + 1) <= first,
                 integrate("left", v, between=(t, t + 1))),
            step("right part", (1 + 1 / t) * integral(normal_pdf(v), v, t + 1, oo) <= rest,
                 integrate("right", v, between=(t + 1, oo))),
            step("(21)", normal_tail(t) < delta / 2, arithmetic(
                "tail", "start", "rest", "first", "left part", "right part")),
            step("below", claimed, arithmetic("W_0", "(21)")),
        ],
    ),
    breaks=[edit("W_0 = w * exp(w) == 1 / (PI * delta**2)", "W_0")],
)
