"""(35): along the linear map, or any other, the mean of [1 - e^(epsilon - |x-T(x)|/b)]_+ is enough.

P is any law, c(u) the chance of an event when the data is u.
"""
from pfverify.proof.language import *
from settings.events import *

delta = constants("delta")
x, T = draws("x", "P"), functions("T")
way = abs(x - T(x)) / b
saved, p, q = mean(maximum(1 - exp(epsilon - way), 0), x), mean(c(x), x), mean(c(T(x)), x)

Claim(
    id="G42", source=paper("gaussian-priors", "(35)"), result=PROVED,
    words="If the mean of [1 - e^(epsilon - |x-T(x)|/b)]_+ is at most delta, both orders hold "
          "with epsilon and delta",
    printed=proved(
        given={"event": event, "Laplace": Laplace, "(35)": saved <= delta},
        example=instance(b=2, epsilon=1, delta=1/2, P=law({0: 1/2, 1: 1/2}), T={0: 3, 1: 1},
                         c={"else": 1/2}),
        statement=p <= E * q + delta and q <= E * p + delta,
        steps=[
            step("pair", c(u) - E * c(v) <= maximum(1 - exp(epsilon - abs(u - v) / b), 0),
                 theorem("F19", {"epsilon": epsilon}, "event", "Laplace")),
            step("p", p - E * q <= saved, termwise(arithmetic(use("pair", {u: x, v: T(x)})), x)),
            step("q", q - E * p <= saved, termwise(arithmetic(use("pair", {u: T(x), v: x})), x)),
            step("both", p <= E * q + delta and q <= E * p + delta, arithmetic("(35)", "p", "q")),
        ],
    ),
    breaks=[
        edit("drop Laplace", "pair", instance(
            b=1, epsilon=1, delta=0, P=law({0: 1}), T={0: 1}, c={0: 1})),
    ],
)
