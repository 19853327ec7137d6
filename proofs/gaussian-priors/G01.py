"""Definition 1: the events decide as the positive part of p - e^epsilon q does.

p and q are densities with regard to a law Y: any two laws have some, to their average for instance.
"""
from pfverify.proof.language import *

E = positive("E")
delta = constants("delta")
y, o = draws("y", "Y"), indices("o", "O")
p, q, r, s, B = masses("p q r s B")  # B(y): the chance that y is counted, 0 or 1 for a plain event
gap = p(y) - E * q(y)
event, worst = mean(B(y) * gap, y), mean(indicator(gap) * gap, y)
excess = mean(maximum(gap, 0), y)
pointwise = r(o) - E * s(o) <= delta and total(maximum(r(o) - E * s(o), 0), o) > delta

Claim(
    id="G01", source=paper("gaussian-priors", "Definition 1"), result=PROVED,
    words="P(B) <= e^epsilon Q(B) + delta for every event B exactly when the integral of "
          "[p - e^epsilon q]_+ is at most delta: no event exceeds it, p >= e^epsilon q attains it",
    printed=proved(
        given={"event": B(y) <= 1, "densities": integrable(p(y), y) and integrable(q(y), y)},
        example=instance(E=2, Y=law({0: 1/2, 1: 1/2}), p={0: 2}, q={1: 2}, B={0: 1}),
        statement=event <= excess and worst == excess,
        steps=[
            step("small", abs(maximum(gap, 0)) <= p(y) + E * q(y), arithmetic()),
            step("exists", abs(excess) <= mean(p(y) + E * q(y), y), dominated("small")),
            step("every event", event <= excess, termwise(arithmetic("event"), y)),
            step("this event", worst == excess, termwise(arithmetic(), y)),
        ],
    ),
    tighter=proved(
        words="The bound p <= e^epsilon q + delta at every output is weaker: here delta = 1/4, for "
              "four outputs with masses r and s",
        statement=pointwise,
        data=instance(E=1, delta=1/4, O=[0, 1, 2, 3], r={0: 1/2, 1: 1/2},
                      s={0: 1/4, 1: 1/4, 2: 1/4, 3: 1/4}),
        steps=[step("exact", pointwise, finite())],
    ),
    breaks=[
        edit("drop event", "every event", instance(
            E=2, Y=law({0: 1}), p={0: 2}, q={}, B={0: 2})),
    ],
)
