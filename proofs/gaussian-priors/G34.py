"""(22): tau = 0 satisfies the condition, so the printed minimum is 0; without it (22) is (23).

W_0(a) is the one w >= 0 with w e^w = a: every w > 0 belongs to one a, and for each t to one delta.
"""
from pfverify.proof.language import *

d, t, tau, w = positive("d t tau w")
u, x = variables("u x")
x_is_W = x >= 0 and x * exp(x) == u / (sqrt(2 * PI) * d)
delta = t / (sqrt(2 * PI) * w * exp(w))  # w = W_0(t / (sqrt(2 pi) delta))
in_22, in_23 = t**2 >= 2 * w, t**2 * exp(t**2) >= 2 / (PI * delta**2)
claimed = iff(in_22, in_23) and implies(in_22 and normal_tail(tau) > delta / 2, tau <= t)

Claim(
    id="G34", source=paper("gaussian-priors", "(22)"), result=REPAIRED,
    words="tau* is at most the smallest tau >= 0 with tau^2 >= 2 W_0(tau / (sqrt(2 pi) delta))",
    printed=refuted(
        words="0 >= 2 W_0(0), so the smallest is 0, while tau* > 1/2 for delta = 1/2",
        given={"tau < tau*": normal_tail(tau) > d / 2},
        statement=implies(x_is_W and u >= 0 and u**2 >= 2 * x, tau <= u), at={u: 0, x: 0},
        instance=instance(d=1/2, tau=1/2),
    ),
    corrected=proved(
        words="For tau > 0 the condition is that tau is at least the root in (23), and it gives "
              "Q(tau) <= delta/2, so no tau with Q(tau) > delta/2 is larger",
        statement=claimed,
        steps=[
            step("grows", iff(in_22, t**2 * exp(t**2 / 2) >= 2 * w * exp(w)), arithmetic()),
            step("squares", iff(t**2 * exp(t**2 / 2) >= 2 * w * exp(w),
                 t**4 * exp(t**2) >= 4 * w**2 * exp(2 * w)), arithmetic()),
            step("(23)", t**2 * (2 / (PI * delta**2)) == 4 * w**2 * exp(2 * w), identity()),
            step("same", iff(in_22, in_23), arithmetic("grows", "squares", "(23)")),
            step("(21)", normal_tail(t) < normal_pdf(t) / t, theorem("G33", {"t": t})),
            step("ratio", t**2 * exp(t**2 / 2) * (normal_pdf(t) / t)
                 == 2 * w * exp(w) * (delta / 2), identity()),
            step("below", implies(in_22 and normal_tail(tau) > delta / 2, tau <= t),
                 arithmetic("grows", "ratio", "(21)")),
        ],
    ),
    breaks=[
        edit("in_23 = t**2 * exp(t**2) >= 1 / (PI * delta**2)", "same", instance(t=1, w=9/16)),
    ],
)
