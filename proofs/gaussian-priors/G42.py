"""(35): along the linear map, or any other, the mean of [1 - e^(epsilon - |x-T(x)|/b)]_+ is enough.

Totals stand for means over the prior and over the outputs of an event.
"""
from pfverify.proof.language import *

b, epsilon = positive("b epsilon")
delta = constants("delta")
x, y = indices("x", "X"), indices("y", "Y")
P, B = masses("P B")  # B: the outputs in the event, each with its noise weight
T = functions("T")
E, saved = exp(epsilon), maximum(1 - exp(epsilon - abs(x - T(x)) / b), 0)
near, far = exp(-abs(y - x) / b), exp(-abs(y - T(x)) / b)
p, q = total(P(x) * B(y) * near, y, x), total(P(x) * B(y) * far, y, x)
inner, inner_T = total(B(y) * near, y), total(B(y) * far, y)

Claim(
    id="G42", source=paper("gaussian-priors", "(35)"), result=PROVED,
    words="If the mean of [1 - e^(epsilon - |x-T(x)|/b)]_+ is at most delta, both orders hold "
          "with epsilon and delta",
    printed=proved(
        given={"(35)": total(P(x) * saved, x) <= delta, "noise": inner <= 1 and inner_T <= 1},
        example=instance(b=2, epsilon=1, delta=1/2, X=[0, 1], P={0: 1/2, 1: 1/2},
                         T={0: 3, 1: 1}, Y=[0, 1], B={0: 1/2}),
        statement=p <= E * q + delta and q <= E * p + delta,
        steps=[
            step("to", near * exp(-abs(x - T(x)) / b) <= far, arithmetic()),
            step("fro", far * exp(-abs(x - T(x)) / b) <= near, arithmetic()),
            step("near", 0 <= near, arithmetic()),
            step("far", 0 <= far, arithmetic()),
            step("inner", 0 <= inner, integrate("near", y, weight=B(y))),
            step("inner T", 0 <= inner_T, integrate("far", y, weight=B(y))),
            step("row to", exp(-abs(x - T(x)) / b) * inner <= inner_T,
                 integrate("to", y, weight=B(y))),
            step("row fro", exp(-abs(x - T(x)) / b) * inner_T <= inner,
                 integrate("fro", y, weight=B(y))),
            step("row p", inner - E * inner_T <= saved, arithmetic("row to", "inner", "noise")),
            step("row q", inner_T - E * inner <= saved, arithmetic("row fro", "inner T", "noise")),
            step("mean p", p - E * q <= total(P(x) * saved, x),
                 integrate("row p", x, weight=P(x))),
            step("mean q", q - E * p <= total(P(x) * saved, x),
                 integrate("row q", x, weight=P(x))),
            step("both", p <= E * q + delta and q <= E * p + delta,
                 arithmetic("(35)", "mean p", "mean q")),
        ],
    ),
)
