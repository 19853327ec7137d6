"""F105: g(a) = (a-1) D_a = log R is a convex function of the order a, and g(1) = 0.

So a chord of two values of at least g is at least g between them, and D_a = g(a)/(a-1) does not
fall. Integrals likewise.

Symbols:
a, b: two orders
t: the share of the second one, 1 - t that of the first
i: an output
q: its mass under the second law
v: the log ratio of both masses
A, B: g of both orders
"""
from pfverify.proof.language import *

(a, b, t, A, B), i, q, v = constants("a b t A B"), indices("i", "X"), masses("q"), functions("v")
x, y = a * v(i) - A, b * v(i) - B
m = (1 - t) * x + t * y
between = (1 - t) * a + t * b
chord = total(q(i) * exp(between * v(i)), i) <= exp((1 - t) * A + t * B)
at_one = total(q(i) * exp(1 * v(i)), i) == 1

Claim(
    id="F105", source=paper("design", "F105"), result=PROVED,
    words="R of an order between two others is at most e to the chord of both logarithms",
    printed=proved(
        given={"share": 0 <= t and t <= 1,
               "first": total(q(i) * exp(a * v(i)), i) == exp(A),
               "second": total(q(i) * exp(b * v(i)), i) == exp(B)},
        example=instance(a=1, b=2, t=1/2, A=0, B=0, X=[0, 1], q={0: 1/2, 1: 1/2}, v={"else": 0}),
        statement=chord,
        steps=[
            step("one", 1 + (x - m) <= exp(x - m), arithmetic()),
            step("two", 1 + (y - m) <= exp(y - m), arithmetic()),
            step("both", 1 <= (1 - t) * exp(x - m) + t * exp(y - m),
                 arithmetic("one", "two", "share")),
            step("at i", exp(between * v(i)) <= exp((1 - t) * A + t * B) * (
                (1 - t) * exp(-A) * exp(a * v(i)) + t * exp(-B) * exp(b * v(i))),
                arithmetic("both")),
            step("sum", total(q(i) * exp(between * v(i)), i) <= exp((1 - t) * A + t * B) * (
                (1 - t) * exp(-A) * total(q(i) * exp(a * v(i)), i)
                + t * exp(-B) * total(q(i) * exp(b * v(i)), i)),
                integrate("at i", i, weight=q(i))),
            step("all", chord, arithmetic("sum", "first", "second")),
        ],
    ),
    breaks=[
        edit("drop share", "both"),
        edit("drop first", "all", instance(
            a=1, b=2, t=1/2, A=-1, B=0, X=[0, 1], q={0: 1/2, 1: 1/2}, v={"else": 0})),
    ],
)
