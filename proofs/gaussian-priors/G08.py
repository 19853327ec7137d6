"""(20): tau*(delta) is the delta/2 quantile of the normal tail, and falls strictly with delta."""
from pfverify.proof.language import *

t, s, d = constants("t s d")
tau, x = variables("tau x")
delta, larger = 2 * normal_tail(t), 2 * normal_tail(s)
least = (implies(normal_tail(tau) <= delta / 2, t <= tau)
         and implies(t <= tau, normal_tail(tau) <= delta / 2))
falls = implies(delta < larger, s < t) and implies(delta < 1, 0 < t)
tail = integral(normal_pdf(x), x, tau, oo)

Claim(
    id="G08", source=paper("gaussian-priors", "(20)"), result=PROVED,
    words="If Q(t) = delta/2 (Q is continuous, so there is such a t), t is the least tau with "
          "Pr(Z > tau) <= delta/2; it is positive and strictly decreasing for delta in "
          "(0, 1)",
    printed=proved(
        statement=least and falls and tail == normal_tail(tau),
        steps=[
            step("Q", tail == normal_tail(tau), antiderivative(normal_cdf(x))),
            step("least", least, arithmetic()),
            step("falls", falls, arithmetic()),
        ],
    ),
    tighter=proved(
        words="There is one for every d = delta: Q is 1/2 at 0 and at most d/2 at 2/d",
        given={"range": 0 < d and d < 1}, example=instance(d=1/2),
        statement=normal_tail(0) == 1/2 and normal_tail(2 / d) <= d / 2,
        steps=[
            step("(21)", normal_tail(2 / d) < d / 2 * normal_pdf(2 / d), theorem(
                "G33", {"t": 2 / d}, "range")),
            step("density", normal_pdf(2 / d) <= 1, arithmetic()),
            step("all", normal_tail(0) == 1/2 and normal_tail(2 / d) <= d / 2,
                 arithmetic("range", "(21)", "density")),
        ],
    ),
    breaks=[
        edit("falls = implies(delta < larger, t < s)", "falls", instance(t=1, s=0)),
        edit("delta = normal_tail(t)", "least", instance(t=0, s=0), {tau: 0}),
        edit("drop range", "(21)"),
    ],
)
