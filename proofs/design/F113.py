"""F113: what a Renyi divergence says of delta.

With R = e^((a-1) D), E = e^epsilon and b = (1 - 1/a)^(a-1)/a the divergence at E, the sum of
[p - E q]_+, is at most b e^((a-1)(D - epsilon)): 1/a + (a-1)/a is at most e^((a-1) s)/a + (a-1)
e^-s/a, at s = log(p/q) - epsilon - log(a/(a-1)). As b < 1, it is at most e^((a-1)(D - epsilon)).

Symbols:
a: the order
epsilon: of the events
turn: log(a/(a-1)), where the bound is met
i: an output
q: its mass under the second law
v: the log ratio of both masses
"""
from pfverify.proof.language import *

(a, epsilon, turn), i, q, v = constants("a epsilon turn"), indices("i", "X"), masses("q"), \
    functions("v")
s = v(i) - epsilon - turn
b = exp(-(a - 1) * turn) / a
R = total(q(i) * exp(a * v(i)), i)
delta = total(q(i) * maximum(exp(v(i)) - exp(epsilon), 0), i)
bound = delta <= b * exp((1 - a) * epsilon) * R

Claim(
    id="F113", source=paper("design", "F113"), result=PROVED,
    words="delta is at most (1 - 1/a)^(a-1)/a times e^((a-1)(D - epsilon))",
    printed=proved(
        given={"order": a > 1, "turn": exp(turn) == a / (a - 1)},
        example=instance(a=2, epsilon=0, turn=log(2), X=[0, 1], q={0: 1/2, 1: 1/2},
                         v={"else": 0}),
        statement=bound and b <= 1,
        steps=[
            step("up", 1 + (a - 1) * s <= exp((a - 1) * s), arithmetic()),
            step("down", 1 - s <= exp(-s), arithmetic()),
            step("both", a <= exp((a - 1) * s) + (a - 1) * exp(-s),
                 arithmetic("up", "down", "order")),
            step("back", (a - 1) * exp(turn) == a, arithmetic("turn", "order")),
            step("ahead", (a - 1) * exp(-s) == a * exp(epsilon - v(i)), arithmetic("back")),
            step("met", 1 - exp(epsilon - v(i)) <= exp((a - 1) * s) / a,
                 arithmetic("both", "ahead", "order")),
            step("times", exp(v(i)) - exp(epsilon) <= exp((a - 1) * s + v(i)) / a,
                 arithmetic("met")),
            step("same", exp((a - 1) * s + v(i)) / a
                 == b * exp((1 - a) * epsilon) * exp(a * v(i)), arithmetic("order")),
            step("part", maximum(exp(v(i)) - exp(epsilon), 0)
                 <= b * exp((1 - a) * epsilon) * exp(a * v(i)),
                 arithmetic("times", "same", "order")),
            step("sum", bound, integrate("part", i, weight=q(i))),
            step("far", 1 + turn <= a / (a - 1), arithmetic("turn")),
            step("above", 1 <= a / (a - 1), arithmetic("order")),
            step("small", b <= 1, arithmetic("order", "turn", "above")),
            step("all", bound and b <= 1, arithmetic("sum", "small")),
        ],
    ),
    breaks=[edit("drop turn", "back")],
)
