"""Figures 3, 4: for (1, 1/2) and (1, 3/10) the scale of Theorem 2 is enough, if not in general."""
from pfverify.proof.language import *
from settings.events import *
from settings.mixtures import *

# Z is standard normal: only Pr(Z > t) and E|Z| are used. c(u): an event's chance if the data is u
tau, delta = positive("tau delta")  # tau: any number with Q(tau) <= delta/2
e, r, dm, ds, average = exp(1), 3/10, abs(mu(m) - nu(l)), abs(s(m) - t(l)), mean(abs(z), z)
P, Q = total(w(m, l) * mean(c(x), z), l, m), total(w(m, l) * mean(c(T), z), l, m)
means, sds = total(w(m, l) * dm, m, l), total(w(m, l) * ds, m, l)
reach = r / b * means + r / b * sds * average

Claim(
    id="G44", source=paper("gaussian-priors", "Figure 3, Figure 4"), result=PROVED,
    words="Whatever mixtures were fitted, Laplace noise of the scale (13) for epsilon = 1 and "
          "delta = 1/2 or 3/10 attains (1, delta)-privacy against the fitted belief",
    open="the fitted mixtures and the scales used are not printed",
    printed=proved(
        given={"(13)": means + tau * sds <= b, "tau*": normal_tail(tau) <= delta / 2,
               "Z": integrable(abs(z), z) and average <= sqrt(2 / PI), "event": event,
               "delta": delta == 1/2 or delta == r,
               "Laplace": Laplace and 1 - c(v) <= exp(abs(u - v) / b) * (1 - c(u))},
        example=instance(M=[1, 2], L=[1], w=halves, mu={1: 0, 2: 0}, nu={1: 1}, t={1: 1}, b=3,
                         s={1: 1, 2: 2}, tau=2, delta=r, c={"else": 1/2}, Z=law({0: 1/2, 1: 1/2})),
        statement=P <= e * Q + delta and Q <= e * P + delta,
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
            step("sum", r * (means + sds * average) <= delta * b, arithmetic(
                "tails", "sds", "means", "tau*", "(13)", "delta", "Z")),
            step("both", P <= e * Q + delta and Q <= e * P + delta, arithmetic("P", "Q", "sum")),
        ],
    ),
    meaning=[s(m) > 0, t(l) > 0],
    breaks=[
        edit("drop (13)", "sum", instance(
            M=[1], L=[1], w={(1, 1): 1}, mu={1: 0}, nu={1: 2}, s={1: 1}, t={1: 1}, b=1, tau=2,
            delta=r, c={}, Z=law({0: 1}))),
        edit("drop Laplace", "pair", instance(
            M=[1], L=[1], w={(1, 1): 1}, mu={1: 0}, nu={1: 1}, s={1: 1}, t={1: 1}, b=1, tau=2,
            delta=r, c={0: 1}, Z=law({0: 1}))),
    ],
)
