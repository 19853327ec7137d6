"""(17), (18): the chain of bounds that ends at the probability of a long move.

Totals stand for means over the prior and over the outputs of an event.
"""
from pfverify.proof.language import *

b, epsilon = positive("b epsilon")
x, y = indices("x", "X"), indices("y", "Y")
P, B = masses("P B")  # B: the outputs in the event, each with its noise weight
T = functions("T")
E, gap = exp(epsilon), abs(x - T(x))
near, far = exp(-abs(y - x) / b), exp(-abs(y - T(x)) / b)
ratio = exp(epsilon - (abs(y - T(x)) - abs(y - x)) / b)
inner, saved = total(B(y) * near, y), 1 - exp(epsilon - gap / b)
A = 1 - indicator(epsilon * b - gap)  # |x - T(x)| > epsilon b
excess, bound_17 = total(P(x) * B(y) * (near - E * far), y, x), total(P(x) * A * saved * inner, x)
bound_18 = total(P(x) * A * saved, x)
same = excess == total(P(x) * B(y) * near * (1 - ratio), y, x)
chain = same and excess <= bound_17 and bound_17 <= bound_18 and bound_18 <= total(P(x) * A, x)

Claim(
    id="G30", source=paper("gaussian-priors", "(17), (18)"), result=PROVED,
    words="P(B) - e^epsilon Q(B) is at most the mean of 1 - e^(epsilon - |x-T(x)|/b) over the "
          "moves longer than epsilon b, and so at most the probability of such a move",
    printed=proved(
        given={"noise": inner <= 1},
        example=instance(b=1, epsilon=1, X=[0, 1], P={0: 1/2, 1: 1/2}, T={0: 3, 1: 1},
                         Y=[0, 1], B={0: 1/2}),
        statement=chain,
        steps=[
            step("factor", near * ratio == E * far, identity()),
            step("equal", same, integrate("factor", y, x, weight=-P(x) * B(y))),
            step("triangle", near * exp(-gap / b) <= far, arithmetic()),
            step("row", total(B(y) * (near - E * far), y) <= saved * inner,
                 integrate("triangle", y, weight=E * B(y))),
            step("positive", 0 <= near, arithmetic()),
            step("inner", 0 <= inner, integrate("positive", y, weight=B(y))),
            step("over b", implies(gap <= epsilon * b, saved <= 0) and implies(
                gap > epsilon * b, 0 <= saved and saved <= 1),
                 arithmetic(hints=[gap / b - epsilon, exp(gap / b - epsilon)])),
            step("short", saved * inner <= A * saved * inner, arithmetic("inner", "over b")),
            step("row in A", total(B(y) * (near - E * far), y) <= A * saved * inner,
                 arithmetic("row", "short")),
            step("(17)", excess <= bound_17, integrate("row in A", x, weight=P(x))),
            step("inner <= 1", A * saved * inner <= A * saved, arithmetic("noise", "over b")),
            step("(18)", bound_17 <= bound_18, integrate("inner <= 1", x, weight=P(x))),
            step("saved <= 1", A * saved <= A, arithmetic("over b")),
            step("P(A)", bound_18 <= total(P(x) * A, x), integrate("saved <= 1", x, weight=P(x))),
            step("chain", chain, arithmetic("equal", "(17)", "(18)", "P(A)")),
        ],
    ),
)
