"""(20): tau*(delta) is the delta/2 quantile of the normal tail, and falls with delta."""
from pfverify.proof.language import *

delta, t, larger, s = constants("delta t larger s")
tau, x = variables("tau x")
least = (implies(normal_tail(tau) <= delta / 2, t <= tau)
         and implies(t <= tau, normal_tail(tau) <= delta / 2))
tail = integral(normal_pdf(x), x, tau, oo)

Claim(
    id="G08", source=paper("gaussian-priors", "(20)"), result=PROVED,
    words="If Q(t) = delta/2 (Q is continuous, so there is such a t), t is the least tau with "
          "Pr(Z > tau) <= delta/2; it is positive and decreases in delta on (0, 1)",
    printed=proved(
        given={"t": normal_tail(t) == delta / 2, "s": normal_tail(s) == larger / 2,
               "range": 0 < delta and delta <= larger and larger <= 1},
        example=instance(t=0, s=0, delta=1, larger=1),
        statement=least and implies(delta < larger, s < t) and implies(delta < 1, 0 < t)
        and tail == normal_tail(tau),
        steps=[
            step("Q", tail == normal_tail(tau), antiderivative(normal_cdf(x))),
            step("all", least and implies(delta < larger, s < t) and implies(delta < 1, 0 < t)
                 and tail == normal_tail(tau), arithmetic("t", "s", "range", "Q")),
        ],
    ),
    tighter=proved(
        words="There is one: Q is 1/2 at 0 and at most delta/2 at 2/delta",
        given={"range": 0 < delta and delta < 1}, example=instance(delta=1/2),
        statement=normal_tail(0) == 1/2 and normal_tail(2 / delta) <= delta / 2,
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
            step("all", normal_tail(0) == 1/2 and normal_tail(2 / delta) <= delta / 2,
                 arithmetic("range", use("tail", {tau: 2 / delta}))),
        ],
    ),
)
