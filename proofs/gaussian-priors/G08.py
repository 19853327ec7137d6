"""(20): tau*(delta) is the delta/2 quantile of the normal tail, and falls strictly with delta."""
from pfverify.proof.language import *

t, s, d = constants("t s d")
tau, x = variables("tau x")
delta, larger = 2 * normal_tail(t), 2 * normal_tail(s)
least = (implies(normal_tail(tau) <= delta / 2, t <= tau)
         and implies(t <= tau, normal_tail(tau) <= delta / 2))
tail = integral(normal_pdf(x), x, tau, oo)

Claim(
    id="G08", source=paper("gaussian-priors", "(20)"), result=PROVED,
    words="If Q(t) = delta/2 (Q is continuous, so there is such a t), t is the least tau with "
          "Pr(Z > tau) <= delta/2; it is positive and strictly decreasing for delta in "
          "(0, 1)",
    printed=proved(
        given={"range": delta <= larger and larger <= 1}, example=instance(t=1, s=0),
        statement=least and implies(delta < larger, s < t) and implies(delta < 1, 0 < t)
        and tail == normal_tail(tau),
        steps=[
            step("Q", tail == normal_tail(tau), antiderivative(normal_cdf(x))),
            step("all", least and implies(delta < larger, s < t) and implies(delta < 1, 0 < t)
                 and tail == normal_tail(tau), arithmetic("range", "Q")),
        ],
    ),
    tighter=proved(
        words="There is one for every d = delta: Q is 1/2 at 0 and at most d/2 at 2/d",
        given={"range": 0 < d and d < 1}, example=instance(d=1/2),
        statement=normal_tail(0) == 1/2 and normal_tail(2 / d) <= d / 2,
        steps=[
            step("constant", integral(tau * normal_pdf(x), x, tau, oo) == tau * normal_tail(tau),
                 antiderivative(tau * normal_cdf(x))),
            step("moment", integral(x * normal_pdf(x), x, tau, oo) == normal_pdf(tau),
                 antiderivative(-normal_pdf(x))),
            step("farther", implies(tau <= x, tau * normal_pdf(x) <= x * normal_pdf(x)),
                 arithmetic()),
            step("Mills", integral(tau * normal_pdf(x), x, tau, oo)
                 <= integral(x * normal_pdf(x), x, tau, oo),
                 integrate("farther", x, between=(tau, oo))),
            step("peak", normal_pdf(tau) <= 1, arithmetic()),
            step("tail", tau * normal_tail(tau) <= 1,
                 arithmetic("Mills", "constant", "moment", "peak")),
            step("all", normal_tail(0) == 1/2 and normal_tail(2 / d) <= d / 2,
                 arithmetic("range", use("tail", {tau: 2 / d}))),
        ],
    ),
    breaks=[edit("drop range", "all")],
)
