"""F52: one step of a binary chain under noise, by the influence G that GK16 knows.

p and q are the laws of the next record when this one is 1 and 0, a and b those that one of the two
has by the other, all others being known; f is how likely an output is by the next record, g also by
this one, which makes e^d at most. By another name for states u >= 0; the other order is the same.

Symbols:
p0, p1: the law of the next record when this one is 1
q0, q1: that when it is 0
a0, a1, b0, b1: the laws of one of the two by the other
f0, f1: how likely the output is by the next record
g0, g1: that by this one too
u: half the log odds ratio
G: the influence
D: the log ratio of the next record
d: what this one makes at most
"""
from pfverify.proof.language import *

p0, p1, q0, q1, a0, a1, b0, b1 = positive("p0 p1 q0 q1 a0 a1 b0 b1")
(f0, f1, g0, g1), (u, G, D, d) = positive("f0 f1 g0 g1"), constants("u G D d")
E, p, q = exp(D), p0 * f0 + p1 * f1, q0 * f0 + q1 * f1

Claim(
    id="F52d", source=paper("design", "F52"), result=PROVED,
    words="In a binary chain a record of log ratio d, before one with log ratio D, has at most "
          "d + G D; G is half the largest log ratio of one of them by the other, all others known",
    printed=proved(
        given={"P is a law": p0 + p1 == 1, "Q is a law": q0 + q1 == 1,
               "odds": p1 * q0 == exp(2 * u) * p0 * q1 and 0 <= u,
               "known": a1 * b0 == exp(2 * u) * a0 * b1,
               "influence": a1 <= exp(2 * G) * b1 and b0 <= exp(2 * G) * a0,
               "next": f1 <= E * f0 and 0 <= D, "own": g0 <= exp(d) * f0 and g1 <= exp(d) * f1},
        example=instance(u=log(2), G=log(2), D=log(2), d=1, p0=1/5, p1=4/5, q0=1/2, q1=1/2,
                         a0=1/5, a1=4/5, b0=1/2, b1=1/2, f0=1, f1=2, g0=1, g1=2),
        statement=p0 * g0 + p1 * g1 <= exp(d + G * D) * q,
        steps=[
            step("powers", exp(2 * u) <= exp(4 * G), arithmetic("influence", "known")),
            step("less", exp(u * D / 2) <= exp(G * D), arithmetic("powers", "next")),
            step("worst", p0 + p1 * E <= exp(u * D / 2) * (q0 + q1 * E), theorem(
                "F52c", {"w": D / 2, "f0": 1, "f1": E},
                "P is a law", "Q is a law", "odds", "next")),
            step("any", p * (q0 + q1 * E) <= q * (p0 + p1 * E),
                 arithmetic("odds", "next", hints=[exp(2 * u)])),
            step("step", p <= exp(G * D) * q, arithmetic("any", "worst", "less", hints=[E])),
            step("all", p0 * g0 + p1 * g1 <= exp(d + G * D) * q, arithmetic("own", "step")),
        ],
    ),
    breaks=[edit("drop influence", "powers"), edit("drop next", "less"), edit("drop own", "all")],
)
