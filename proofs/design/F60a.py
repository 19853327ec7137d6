"""F60: of two laws the one that has more where a function is large has the larger mean.

Symbols:
x: a place
F, P: masses of two laws
k: what a place counts
kappa: a bound of it
"""
from pfverify.proof.language import *

kappa, x, (F, P), k = constants("kappa"), indices("x", "X"), masses("F P"), functions("k")
of_P, of_F = total(P(x) * k(x), x), total(F(x) * k(x), x)

Claim(
    id="F60a", source=paper("design", "F60"), result=PROVED,
    words="If F and P have one sum, and F - P is >= 0 where k is above kappa, <= 0 where it is "
          "below, the sum of P k is at most that of F k",
    printed=proved(
        given={"threshold": (F(x) - P(x)) * (k(x) - kappa) >= 0,
               "sums": total(F(x), x) == total(P(x), x)},
        example=instance(X=[0, 1, 2], kappa=2, F={1: 1/4, 2: 3/4}, P={0: 1/4, 1: 1/4, 2: 1/2},
                         k={0: 1, 1: 2, 2: 3}),
        statement=of_P <= of_F,
        steps=[
            step("each", P(x) * k(x) + kappa * F(x) <= F(x) * k(x) + kappa * P(x), arithmetic(
                "threshold")),
            step("sum", of_P + kappa * total(F(x), x) <= of_F + kappa * total(P(x), x), integrate(
                "each", x)),
            step("all", of_P <= of_F, arithmetic("sum", "sums")),
        ],
    ),
    breaks=[
        edit("drop threshold", "each", instance(
            X=[0, 1], kappa=1, F={0: 1}, P={1: 1}, k={0: 0, 1: 2}), {x: 0}),
        edit("drop sums", "all", instance(
            X=[0, 1], kappa=2, F={0: 0}, P={0: 1}, k={0: 1, 1: 1})),
    ],
)
