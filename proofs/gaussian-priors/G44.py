"""Figures 3, 4: for (1, 1/2) and (1, 3/10) the scale of Theorem 2 is enough, if not in general.

Z is standard normal (only Pr(Z > t) and E|Z| are used). c(u) is the probability of an event
when the data is u, 1 - c that of the other outputs. tau may be any number with Q(tau) <= delta/2.
"""
from pfverify.proof.language import *

b, tau, delta = positive("b tau delta")
u, v, p, q = variables("u v p q")
m, l, z = indices("m", "M"), indices("l", "L"), draws("z", "Z")
w, c = masses("w c")
mu, nu, s, t = functions("mu nu s t")
E, x, T, A, r = exp(1), mu(m) + s(m) * z, nu(l) + t(l) * z, exp(u), 3/10
dm, ds, gap, average = abs(mu(m) - nu(l)), abs(s(m) - t(l)), abs(x - T), mean(abs(z), z)
P, Q = total(w(m, l) * mean(c(x), z), l, m), total(w(m, l) * mean(c(T), z), l, m)
apart = 0 <= p and p <= 1 and 0 <= q and q <= 1 and p <= A * q and 1 - q <= A * (1 - p)
to, fro, line = {u: gap / b, p: c(x), q: c(T)}, {u: gap / b, p: c(T), q: c(x)}, r * u + E
means, sds, far = total(w(m, l) * dm, m, l), total(w(m, l) * ds, m, l), dm + ds * abs(z)
reach = r / b * (means + sds * average)
private = P <= E * Q + delta and Q <= E * P + delta

Claim(
    id="G44", source=paper("gaussian-priors", "Figure 3, Figure 4"), result=PROVED,
    words="Whatever mixtures were fitted, Laplace noise of the scale (13) for epsilon = 1 and "
          "delta = 1/2 or 3/10 attains (1, delta)-privacy against the fitted belief",
    open="the fitted mixtures and the scales used are not printed",
    printed=proved(
        given={"(13)": means + tau * sds <= b, "tau*": normal_tail(tau) <= delta / 2,
               "E|Z|": integrable(abs(z), z), "Z": average <= sqrt(2 / PI), "event": c(u) <= 1,
               "delta": delta == 1/2 or delta == r, "Laplace": c(u) <= exp(abs(u - v) / b) * c(v)
               and 1 - c(v) <= exp(abs(u - v) / b) * (1 - c(u))},
        example=instance(M=[1, 2], L=[1], w={(1, 1): 1/2, (2, 1): 1/2}, mu={1: 0, 2: 0},
                         nu={1: 1}, b=3, c={}, s={1: 1, 2: 2}, t={1: 1}, tau=2, delta=r,
                         Z=law({0: 1/2, 1: 1/2})),
        statement=private,
        steps=[
            step("e", 271/100 < E and E < 272/100 and exp(5/4) < 3491/1000 and exp(12/5) < 1103/100
                 and normal_tail(4/5) > 3/20 and normal_tail(1/2) > 1/4, enclosure()),
            step("line", u < 0 or A * (1 - r * u) <= line, arithmetic(
                "e", hints=[exp(5/4 - u), exp(5/4), exp(12/5 - u), exp(12/5)])),
            step("pair", u < 0 or not apart or p - E * q <= r * u, arithmetic("line", "e")),
            step("move", 0 <= gap / b and gap / b <= far / b, arithmetic()),
            step("x", c(x) - E * c(T) <= r / b * far, arithmetic("move", use("pair", to), use(
                "Laplace", {u: x, v: T}), use("event", {u: x}), use("event", {u: T}))),
            step("T", c(T) - E * c(x) <= r / b * far, arithmetic("move", use("pair", fro), use(
                "Laplace", {u: T, v: x}), use("event", {u: x}), use("event", {u: T}))),
            step("P", P - E * Q <= reach, integrate("x", z, l, m, weight=w(m, l))),
            step("Q", Q - E * P <= reach, integrate("T", z, l, m, weight=w(m, l))),
            step("ds", 0 <= ds, arithmetic()),
            step("sds", 0 <= sds, integrate("ds", m, l, weight=w(m, l))),
            step("dm", 0 <= dm, arithmetic()),
            step("means", 0 <= means, integrate("dm", m, l, weight=w(m, l))),
            step("tau", 3 * average <= 5 * tau and (delta == 1/2 or average <= tau),
                 arithmetic("e", "Z", "tau*", "delta")),
            step("sum", r * (means + sds * average) <= delta * b,
                 arithmetic("sds", "tau", "(13)", "delta", "Z", "means")),
            step("both", private, arithmetic("P", "Q", "sum")),
        ],
    ),
)
