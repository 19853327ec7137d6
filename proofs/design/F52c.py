"""F52: one step of a binary chain: how a log ratio shrinks by an odds ratio.

p and q are the laws of the next record under the two states of this one, e^(2u) their odds ratio; f
is how likely an output is given the next record, e^(2w) its ratio.

Symbols:
p0, p1: the law of the next record under the one state
q0, q1: that under the other
f0, f1: how likely the output is given the next record
u: half the log odds ratio
w: half the log ratio of f
"""
from pfverify.proof.language import *

(p0, p1, q0, q1, f0, f1), (u, w) = positive("p0 p1 q0 q1 f0 f1"), constants("u w")
c, s = exp(u), exp(w)
p, q = p0 * f0 + p1 * f1, q0 * f0 + q1 * f1

Claim(
    id="F52c", source=paper("design", "F52"), result=PROVED,
    words="What the next record of a binary chain makes of a log ratio 2w is at most u w, where 2u "
          "is the log odds ratio of its two laws: a factor of u/2 or less",
    printed=proved(
        given={"P is a law": p0 + p1 == 1, "Q is a law": q0 + q1 == 1,
               "odds": p1 * q0 == exp(2 * u) * p0 * q1, "ratio": f1 == exp(2 * w) * f0,
               "u": 0 <= u, "w": 0 <= w},
        example=instance(u=log(2), w=log(2), p0=1/5, p1=4/5, q0=1/2, q1=1/2, f0=1, f1=4),
        statement=p <= exp(u * w) * q,
        steps=[
            step("square", p * (c + s)**2 <= q * (1 + c * s)**2,
                 arithmetic("P is a law", "Q is a law", "odds", "ratio", "u", "w", hints=[c, s])),
            step("bound", (1 + c * s)**2 <= exp(u * w) * (c + s)**2,
                 theorem("F52b", {}, "u", "w")),
            step("all", p <= exp(u * w) * q, arithmetic("square", "bound", hints=[c, s])),
        ],
    ),
    breaks=[edit("drop ratio", "square"), edit("drop odds", "square")],
)
