"""(23): tau* lies below the square root of W_0(2 / (pi delta^2)), strictly.

w = W_0(2 / (pi delta^2)) means w e^w = 2 / (pi delta^2), so every w > 0 belongs to one delta.
"""
from pfverify.proof.language import *

t = positive("t")  # the square root of w
u = variables("u")
w, delta = t**2, 2 * normal_pdf(t) / t

Claim(
    id="G35", source=paper("gaussian-priors", "(23)"), result=PROVED,
    words="Every u with Q(u) >= delta/2, so tau* too, is less than sqrt(W_0(2 / (pi delta^2)))",
    printed=proved(
        statement=w * exp(w) == 2 / (PI * delta**2) and implies(normal_tail(u) >= delta / 2, u < t),
        steps=[
            step("W_0", w * exp(w) == 2 / (PI * delta**2), identity()),
            step("(21)", normal_tail(t) < delta / 2, theorem("G33", {"t": t})),
            step("below", implies(normal_tail(u) >= delta / 2, u < t), arithmetic("(21)")),
        ],
    ),
    breaks=[edit("W_0 = w * exp(w) == 1 / (PI * delta**2)", "W_0", instance(t=1))],
)
