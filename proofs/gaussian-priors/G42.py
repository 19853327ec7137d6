"""(35): along the linear map, or any other, the mean of [1 - e^(epsilon - |x-T(x)|/b)]_+ is enough.

P is any law. c(u) is the chance of an event when the data is u: c(u) <= e^(|u-v|/b) c(v).
"""
from pfverify.proof.language import *

b, epsilon = positive("b epsilon")
delta = constants("delta")
u, v = variables("u v")
x, T, c = draws("x", "P"), functions("T"), masses("c")
E, saved = exp(epsilon), maximum(1 - exp(epsilon - abs(x - T(x)) / b), 0)
p, q = mean(c(x), x), mean(c(T(x)), x)
there, back = {u: x, v: T(x)}, {u: T(x), v: x}

Claim(
    id="G42", source=paper("gaussian-priors", "(35)"), result=PROVED,
    words="If the mean of [1 - e^(epsilon - |x-T(x)|/b)]_+ is at most delta, both orders hold "
          "with epsilon and delta",
    printed=proved(
        given={"event": c(u) <= 1, "Laplace": c(u) <= exp(abs(u - v) / b) * c(v),
               "(35)": mean(saved, x) <= delta},
        example=instance(b=2, epsilon=1, delta=1/2, P=law({0: 1/2, 1: 1/2}), T={0: 3, 1: 1}, c={}),
        statement=p <= E * q + delta and q <= E * p + delta,
        steps=[
            step("to", c(x) - E * c(T(x)) <= saved, arithmetic(
                use("event", {u: x}), use("Laplace", there), hints=[exp(abs(x - T(x)) / b)])),
            step("fro", c(T(x)) - E * c(x) <= saved, arithmetic(
                use("event", {u: T(x)}), use("Laplace", back), hints=[exp(abs(x - T(x)) / b)])),
            step("p", p - E * q <= mean(saved, x), integrate("to", x)),
            step("q", q - E * p <= mean(saved, x), integrate("fro", x)),
            step("both", p <= E * q + delta and q <= E * p + delta, arithmetic("(35)", "p", "q")),
        ],
    ),
    breaks=[
        edit("drop Laplace", "to", instance(
            b=1, epsilon=1, delta=0, P=law({0: 1}), T={0: 1}, c={0: 1})),
    ],
)
