"""Figures 3, 4: for (1, 1/2) and (1, 3/10) the scale of Theorem 2 is enough, if not in general.

Z is standard normal (only Pr(Z > t) and E|Z| are used). c(u) is the probability of an event
when the data is u, 1 - c that of the other outputs. tau may be any number with Q(tau) <= delta/2.
"""
from pfverify.proof.language import *
from settings.events import *
from settings.mixtures import *

tau, delta = positive("tau delta")
e, r, dm, ds, average = exp(1), 3/10, abs(mu(m) - nu(l)), abs(s(m) - t(l)), mean(abs(z), z)
P, Q = total(w(m, l) * mean(c(x), z), l, m), total(w(m, l) * mean(c(T), z), l, m)
means, sds = total(w(m, l) * dm, m, l), total(w(m, l) * ds, m, l)
reach = r / b * means + r / b * sds * average
private = P <= e * Q + delta and Q <= e * P + delta

Claim(
    id="G44", source=paper("gaussian-priors", "Figure 3, Figure 4"), result=PROVED,
    words="Whatever mixtures were fitted, Laplace noise of the scale (13) for epsilon = 1 and "
          "delta = 1/2 or 3/10 attains (1, delta)-privacy against the fitted belief",
    open="the fitted mixtures and the scales used are not printed",
    printed=proved(
        given={"(13)": means + tau * sds <= b, "tau*": normal_tail(tau) <= delta / 2,
               "E|Z|": integrable(abs(z), z), "Z": average <= sqrt(2 / PI), "event": event,
               "delta": delta == 1/2 or delta == r,
               "Laplace": Laplace and 1 - c(v) <= exp(abs(u - v) / b) * (1 - c(u))},
        example=instance(M=[1, 2], L=[1], w=halves, mu={1: 0, 2: 0}, nu={1: 1}, t={1: 1}, b=3,
                         s={1: 1, 2: 2}, tau=2, delta=r, c={}, Z=law({0: 1/2, 1: 1/2})),
        statement=private,
        steps=[
            step("tails", normal_tail(4/5) > 3/20 and normal_tail(1/2) > 1/4, enclosure()),
            step("pair", c(u) - e * c(v) <= r * abs(u - v) / b,
                 theorem("F19b", {"b": b}, "event", "Laplace")),
            step("P", P - e * Q <= reach, termwise(
                arithmetic(use("pair", {u: x, v: T})), z, l, m, weight=w(m, l))),
            step("Q", Q - e * P <= reach, termwise(
                arithmetic(use("pair", {u: T, v: x})), z, l, m, weight=w(m, l))),
            step("sds", 0 <= sds, termwise(arithmetic(), m, l, weight=w(m, l))),
            step("means", 0 <= means, termwise(arithmetic(), m, l, weight=w(m, l))),
            step("tau", 3 * average <= 5 * tau and (delta == 1/2 or average <= tau),
                 arithmetic("tails", "Z", "tau*", "delta")),
            step("sum", r * (means + sds * average) <= delta * b,
                 arithmetic("sds", "tau", "(13)", "delta", "Z", "means")),
            step("both", private, arithmetic("P", "Q", "sum")),
        ],
    ),
    breaks=[
        edit("drop (13)", "sum", instance(
            M=[1], L=[1], w={(1, 1): 1}, mu={1: 0}, nu={1: 2}, s={1: 0}, t={1: 0}, b=1, tau=2,
            delta=r, c={}, Z=law({0: 1}))),
    ],
)
