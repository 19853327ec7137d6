"""Definition 1: the events decide as the positive part of p - e^epsilon q does.

Y stands for the outputs; a total stands for the integral against any measure on them.
"""
from pfverify.proof.language import *

E = positive("E")
delta = constants("delta")
y = indices("y", "Y")
p, q, B = masses("p q B")  # B(y): the chance that y is counted, 0 or 1 for a plain event
gap = p(y) - E * q(y)
event, worst = total(B(y) * gap, y), total(indicator(gap) * gap, y)
excess = total(maximum(gap, 0), y)
both = event <= excess and worst == excess

Claim(
    id="G01", source=paper("gaussian-priors", "Definition 1"), result=PROVED,
    words="P(B) <= e^epsilon Q(B) + delta for every event B exactly when the sum (integral) of "
          "[p - e^epsilon q]_+ is at most delta: no event exceeds it, p >= e^epsilon q attains it",
    printed=proved(
        given={"event": B(y) <= 1},
        example=instance(E=2, Y=[0, 1], p={0: 1}, q={1: 1}, B={0: 1}),
        statement=both,
        steps=[
            step("below", B(y) * gap <= maximum(gap, 0), arithmetic("event")),
            step("every event", event <= excess, integrate("below", y)),
            step("at it", indicator(gap) * gap == maximum(gap, 0), arithmetic()),
            step("this event", worst == excess, integrate("at it", y)),
            step("both", both, arithmetic("every event", "this event")),
        ],
    ),
    tighter=proved(
        words="The bound p <= e^epsilon q + delta at every output is weaker: here delta = 1/4",
        statement=gap <= delta and excess > delta,
        data=instance(E=1, delta=1/4, Y=[0, 1, 2, 3], p={0: 1/2, 1: 1/2},
                      q={0: 1/4, 1: 1/4, 2: 1/4, 3: 1/4}),
        steps=[step("exact", gap <= delta and excess > delta, finite())],
    ),
)
