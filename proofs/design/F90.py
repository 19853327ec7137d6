"""F90: R = the integral of p^a q^(1-a), a > 1, is no larger where outputs are joined, at least 1.

(a-1) D is the logarithm of R. Outputs have q(i) and p(i) = q(i) e^v(i); together they have Q and
Q e^w. What is made of an output, by noise too, joins such pairs (of an output and what is made of
it), so that no more is told by it: D does not rise. An output with p = 0 adds 0, which is above its
tangent too; one with q = 0 < p makes R infinite.

Symbols:
a: the order
i: an output
q: its mass under the second law
v: the log ratio of both masses
w: that of all of them together
"""
from pfverify.proof.language import *

(a, w), i, q, v = constants("a w"), indices("i", "X"), masses("q"), functions("v")
Q, s = total(q(i), i), v(i) - w
joined = exp(a * w) * Q <= total(q(i) * exp(a * v(i)), i)

Claim(
    id="F90", source=paper("design", "F90"), result=PROVED,
    words="R of two laws is at least that of the laws of what is made of their outputs, as it is "
          "where outputs are joined; and so at least 1",
    printed=proved(
        given={"order": a > 1, "together": total(q(i) * exp(v(i)), i) == exp(w) * Q},
        example=instance(a=2, w=0, X=[0, 1], q={0: 1/2, 1: 1/2}, v={"else": 0}),
        statement=joined,
        steps=[
            step("up", 1 + (a - 1) * s <= exp((a - 1) * s), arithmetic()),
            step("down", 1 - s <= exp(-s), arithmetic()),
            step("both", a <= exp((a - 1) * s) + (a - 1) * exp(-s),
                 arithmetic("up", "down", "order")),
            step("tangent", a * exp(s) <= exp(a * s) + (a - 1), arithmetic("both", "order")),
            step("moved", exp(a * w) * (a * exp(s) - (a - 1)) <= exp(a * v(i)),
                 arithmetic("tangent")),
            step("sum", exp(a * w) * (a * exp(-w) * total(q(i) * exp(v(i)), i) - (a - 1) * Q)
                 <= total(q(i) * exp(a * v(i)), i), integrate("moved", i, weight=q(i))),
            step("all", joined, arithmetic("sum", "together")),
        ],
    ),
    breaks=[
        edit("drop together", "all", instance(
            a=2, w=1, X=[0], q={0: 1}, v={"else": 0})),
        edit("drop order", "both", instance(
            a=1/2, w=0, X=[0, 1], q={0: 1/2, 1: 1/2}, v={0: 0, 1: 0})),
    ],
)
