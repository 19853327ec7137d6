"""(31)-(33): every coupling bounds the excess of an event, by three means in turn.

Totals stand for means over a coupling and over the outputs of an event.
"""
from pfverify.proof.language import *

b, epsilon = positive("b epsilon")
(x, z), y = indices("x z", "X"), indices("y", "Y")
pi, B = masses("pi B")  # B: the outputs in the event, each with its noise weight
E, u = exp(epsilon), abs(x - z) / b - epsilon
near, far = exp(-abs(y - x) / b), exp(-abs(y - z) / b)
inner, saved = total(B(y) * near, y), maximum(1 - exp(-u), 0)
excess = total(pi(x, z) * B(y) * (near - E * far), y, x, z)
by_31, by_32 = total(pi(x, z) * saved, x, z), total(pi(x, z) * maximum(u, 0), x, z)
squares = total(pi(x, z) * u**2, x, z)
chain = excess <= by_31 and by_31 <= by_32 and by_32 <= sqrt(squares)

Claim(
    id="G40", source=paper("gaussian-priors", "(31)-(33)"), result=PROVED,
    words="For every coupling P(B) - e^epsilon Q(B) is at most the mean (31) of "
          "[1 - e^(epsilon - |x-x'|/b)]_+, that is at most (32), and (32) at most (33)",
    printed=proved(
        given={"noise": inner <= 1, "coupling": total(pi(x, z), x, z) == 1},
        example=instance(b=1, epsilon=1, X=[0, 3], pi={(0, 3): 1/2, (3, 0): 1/2}, Y=[0, 1],
                         B={0: 1/2}),
        statement=chain,
        steps=[
            step("triangle", near * exp(-u) <= E * far, arithmetic()),
            step("row", total(B(y) * (near - E * far), y) <= (1 - exp(-u)) * inner,
                 integrate("triangle", y, weight=B(y))),
            step("positive", 0 <= near, arithmetic()),
            step("inner", 0 <= inner, integrate("positive", y, weight=B(y))),
            step("row (31)", total(B(y) * (near - E * far), y) <= saved,
                 arithmetic("row", "inner", "noise")),
            step("(31)", excess <= by_31, integrate("row (31)", x, z, weight=pi(x, z))),
            step("e^u >= 1 + u", saved <= maximum(u, 0), arithmetic()),
            step("(32)", by_31 <= by_32, integrate("e^u >= 1 + u", x, z, weight=pi(x, z))),
            step("square", u**2 >= 2 * by_32 * maximum(u, 0) - by_32**2, arithmetic()),
            step("mean square", squares >= 2 * by_32 * by_32 - by_32**2 * total(pi(x, z), x, z),
                 integrate("square", x, z, weight=pi(x, z))),
            step("squares", by_32**2 <= squares, arithmetic("mean square", "coupling")),
            step("root", squares >= 0, arithmetic("squares")),
            step("chain", chain, arithmetic("(31)", "(32)", "squares")),
        ],
    ),
)
