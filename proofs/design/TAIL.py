"""TAIL: far out the widest, outermost normal law outweighs all others, with Gaussian noise too.

Each is narrower, or as wide with its mean before (mirrored: the left tail), with noise as without.

Symbols:
s0, m0, c0: standard deviation, mean and weight of the widest, outermost component
k: another component of P - E Q, equal ones merged
c, m, s: weights, means and standard deviations of the others
T: how far ahead the widest component is to be, in the logarithm
y: an output
"""
from pfverify.proof.language import *

(s0, c0), (m0, T, y), k = positive("s0 c0"), constants("m0 T y"), indices("k", "K")
c, m, s = functions("c m s")
wide, one = normal_pdf(y, m0, s0), normal_pdf(y, m(k), s(k))
ahead = (y - m(k))**2 / (2 * s(k)**2) - (y - m0)**2 / (2 * s0**2)
rest = T + abs(m0 - m(k)) / s0**2 + abs(m0 - m(k))**2 / (2 * s0**2)
as_wide = s(k) == s0 and m(k) < m0 and (2 * y - m0 - m(k)) * (m0 - m(k)) >= 2 * T * s0**2
narrower = s(k) < s0 and 1 <= y - m(k) and rest <= (y - m(k)) * (
    1 / (2 * s(k)**2) - 1 / (2 * s0**2))
others, g = total(abs(c(k)) * one, k), c0 * wide + total(c(k) * one, k)

Claim(
    id="TAIL", source=paper("design", "TAIL"), result=PROVED,
    words="If every other component is narrower, or as wide with a smaller mean, then at every y "
          "beyond numbers that are stated here c0 times the widest density is more than the sum "
          "of |c(k)| times the others, so that p > e^epsilon q there",
    printed=proved(
        given={"spread": s(k) > 0, "far": as_wide or narrower, "T": T >= 0,
               "T enough": total(abs(c(k)) * s0 / s(k), k) < c0 * (1 + T)},
        example=instance(s0=2, c0=4, m0=0, T=1, y=3, K=[0], c={0: -1}, m={0: 0}, s={0: 1}),
        statement=g > 0,
        steps=[
            step("ahead", T <= ahead, theorem(
                "TAILa", {"s": s(k), "m": m(k)}, "spread", "far", "T")),
            step("less", one * (1 + T) <= wide * s0 / s(k), arithmetic(
                "ahead", "spread", hints=[exp(ahead)])),
            step("sum", others * (1 + T) <= wide * total(abs(c(k)) * s0 / s(k), k), integrate(
                "less", k, weight=abs(c(k)))),
            step("below", -total(c(k) * one, k) <= others, termwise(arithmetic("spread"), k)),
            step("wide", 0 < wide, arithmetic()),
            step("more", others * (1 + T) < wide * c0 * (1 + T), arithmetic(
                "sum", "T enough", "wide")),
            step("all", g > 0, arithmetic("more", "below", "T")),
        ],
    ),
    breaks=[edit("drop far", "ahead"), edit("drop T enough", "more"), edit("drop T", "ahead")],
)
