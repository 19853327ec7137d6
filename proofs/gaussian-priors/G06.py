"""Section II-B: any coupling gives a sufficient condition, the independent one too.

Totals stand for means over a coupling and for integrals over the outputs of an event.
"""
from pfverify.proof.language import *

b, E = positive("b E")
delta = constants("delta")
(x, z), y = indices("x z", "X"), indices("y", "Y")
P, Q, pi, B = masses("P Q pi B")  # B: the outputs in the event, each with its noise weight
near, far = exp(-abs(y - x) / b), exp(-abs(y - z) / b)
excess = total(B(y) * near * P(x), x, y) - E * total(B(y) * far * Q(z), z, y)
inner = total(B(y) * near, y)
saved = total(pi(x, z) * maximum(1 - E * exp(-abs(x - z) / b), 0), x, z)
half = {0: 1/2, 1: 1/2}

Claim(
    id="G06", source=paper("gaussian-priors", "Section II-B"), result=PROVED,
    words="If the mean of [1 - e^(epsilon - |x-x'|/b)]_+ over some coupling is at most delta, the "
          "release is (epsilon, delta)-private: every coupling gives a sufficient condition",
    printed=proved(
        given={"first prior": total(pi(x, z), z) == P(x), "noise": inner <= 1,
               "second prior": total(pi(x, z), x) == Q(z), "condition": saved <= delta},
        example=instance(b=1, E=2, delta=1, X=[0, 1], P=half, Q=half, Y=[0], B={0: 1/2},
                         pi={(0, 0): 1/4, (0, 1): 1/4, (1, 0): 1/4, (1, 1): 1/4}),
        statement=excess <= delta,
        steps=[
            step("first", total(total(pi(x, z), z) * B(y) * near, x, y)
                 == total(B(y) * near * P(x), x, y),
                 integrate("first prior", x, y, weight=B(y) * near)),
            step("second", total(total(pi(x, z), x) * B(y) * far, z, y)
                 == total(B(y) * far * Q(z), z, y),
                 integrate("second prior", z, y, weight=B(y) * far)),
            step("triangle", near - E * far <= (1 - E * exp(-abs(x - z) / b)) * near,
                 arithmetic(hints=[near * exp(-abs(x - z) / b)])),
            step("row", total(B(y) * (near - E * far), y)
                 <= (1 - E * exp(-abs(x - z) / b)) * inner,
                 integrate("triangle", y, weight=B(y))),
            step("positive", 0 <= near, arithmetic()),
            step("inner", 0 <= inner, integrate("positive", y, weight=B(y))),
            step("bound", total(B(y) * (near - E * far), y)
                 <= maximum(1 - E * exp(-abs(x - z) / b), 0), arithmetic("row", "inner", "noise")),
            step("mean", total(pi(x, z) * B(y) * (near - E * far), y, x, z) <= saved,
                 integrate("bound", x, z, weight=pi(x, z))),
            step("all", excess <= delta, arithmetic("first", "second", "mean", "condition")),
        ],
    ),
)
