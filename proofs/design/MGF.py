"""MGF: where Gaussian noise has p <= E q everywhere, the moment generating functions keep it.

k runs over the components of P - E Q, with weights of both signs; with the noise each has a
standard deviation s(k) > 0. e^(t y) times the density of N(m, s^2) is e^(t m + t^2 s^2/2) times
that of N(m + t s^2, s^2). Noise of variance w multiplies every e^(t m + t^2 v/2) by e^(t^2 w/2), so
that the sign at t is that of the priors themselves.

Symbols:
t: where the moment generating functions are compared
k: a component of P - E Q
y: an output
a: how far the integrals go
c: weights of the components
m: means of the components
s: standard deviations of the components with the noise
"""
from pfverify.proof.language import *

a, t, y = positive("a"), constants("t"), variables("y")
k, (c, m, s) = indices("k", "K"), functions("c m s")
g, moment = total(c(k) * normal_pdf(y, m(k), s(k)), k), exp(t * m(k) + t**2 * s(k)**2 / 2)
upto = total(c(k) * moment * normal_cdf(y, m(k) + t * s(k)**2, s(k)), k)
within, none = integral(exp(t * y) * g, y, -a, a), integral(0, y, -a, a)
gained = at(upto, {y: a}) - at(upto, {y: -a})

Claim(
    id="MGF", source=paper("design", "MGF"), result=PROVED,
    words="If p <= E q at every output of Gaussian noise, the sum over the components of c e^(t m "
          "+ t^2 s^2/2) times what N(m + t s^2, s^2) has from -a to a is at most 0, for every t "
          "and every a > 0",
    open="the limit of a, the sum of c e^(t m + t^2 s^2/2), and that it is less than 0 where P is "
         "not E Q: the excess is continuous and, as Gaussian noise is injective, not 0 everywhere",
    printed=proved(
        given={"spread": s(k) > 0, "order": g <= 0},
        example=instance(a=1, t=1, K=[0], c={0: -1}, m={0: 0}, s={0: 1}),
        statement=gained <= 0,
        steps=[
            step("sum", within == gained, antiderivative(upto)),
            step("none", none == 0, antiderivative(0)),
            step("less", within <= none, integrate(
                "order", y, weight=exp(t * y), between=(-a, a))),
            step("all", gained <= 0, arithmetic("sum", "none", "less")),
        ],
    ),
    breaks=[edit("drop order", "less"), edit("drop spread", "order")],
)
