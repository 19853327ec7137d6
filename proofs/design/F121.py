"""F121: an event about outputs, whatever it is about, and however bounds are found, has no more
than delta: bounds that say otherwise have missed.

Outputs are those that floats can be, so that sums are finite; what is rounded to floats keeps the
inequality (DPI).

Symbols:
E: e^epsilon
x: an output
p, q: its masses under the two secrets
b: whether it is in the event, 1 or 0
delta: what the exact law has at epsilon, or a bound of it
low: what is taken for a lower bound of the event's chance under the first secret
high: what is taken for an upper bound of its chance under the second
"""
from pfverify.proof.language import *

E, x, (delta, low, high) = positive("E"), indices("x", "X"), constants("delta low high")
p, q, b = masses("p q b")
first, second = total(b(x) * p(x), x), total(b(x) * q(x), x)
excess = total(maximum(p(x) - E * q(x), 0), x)

Claim(
    id="F121", source=paper("design", "F121"), result=PROVED,
    words="Where low - E high is above delta, the chance of the event under the first secret is "
          "below low, or that under the second above high, or the law is not within delta",
    printed=proved(
        given={"event": b(x) <= 1, "law": excess <= delta},
        example=instance(E=1, delta=1/4, low=1/2, high=1/4, X=[0, 1], p={0: 1/2, 1: 1/2},
                         q={0: 1/4, 1: 3/4}, b={0: 1}),
        statement=implies(low <= first and second <= high, low - E * high <= delta),
        steps=[
            step("each", b(x) * p(x) - E * (b(x) * q(x)) <= maximum(p(x) - E * q(x), 0),
                 arithmetic("event")),
            step("sum", first - E * second <= excess, integrate("each", x)),
            step("all", implies(low <= first and second <= high, low - E * high <= delta),
                 arithmetic("sum", "law")),
        ],
    ),
    breaks=[
        edit("drop event", "each"), edit("drop law", "all"),
    ],
)
