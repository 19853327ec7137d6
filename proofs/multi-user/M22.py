"""4.3.1: for whole-number reports (13) is a polynomial equation in e^(1/theta).

w(k) is e^(1/theta) to the power k = 0, 1, ..., n: 1, and then e^(1/theta) times w(k - 1).
"""
from pfverify.proof.language import *

theta, u, x = positive("theta"), variables("u"), indices("x", "values")
(k, l), (o, n, m) = indices("k l", "degrees"), member("o n m", "degrees")
P, w = masses("P w")
here = indicator(-abs(abs(x) - k))  # 1 if |x| = k
coefficient = total(P(x) * here, x)
grow, is_power = exp(abs(x) / theta), w(u) == exp(u / theta)

Claim(
    id="M22", source=paper("multi-user", "Section 4.3"), result=PROVED,
    words="If the reports are whole numbers, the mean of e^(|D_i|/theta) is a polynomial in "
          "e^(1/theta): its coefficient of degree k is the probability that |D_i| = k",
    printed=proved(
        given={
            "degrees": is_chain([k, l], [o, n]), "whole": total(here, k) == 1,
            "powers": o == 0 and w(o) == 1 and implies(k != o, w(k) == exp(1 / theta) * w(k - 1)),
        },
        example=instance(theta=1, degrees=[0, 1, 2], o=0, n=2, values=[-1, 0, 2],
                         P={-1: 1/2, 0: 1/4, 2: 1/4}, w={0: 1, 1: exp(1), 2: exp(2)}),
        statement=total(P(x) * grow, x) == total(coefficient * w(k), k),
        steps=[
            step("at 0", at(is_power, {u: o}), arithmetic("powers")),
            step("power", at(is_power, {u: k}), induction("degrees", "at 0", k, is_power, u, m, [
                step("next", at(is_power, {u: m}), arithmetic(
                    "before", "not first", use("powers", {k: m}))),
            ])),
            step("equal", here * w(k) == here * grow, arithmetic("power")),
            step("by degree", total(coefficient * w(k), k) == total(P(x) * here * grow, x, k),
                 integrate("equal", x, k, weight=P(x))),
            step("by report", total(P(x) * here * grow, x, k) == total(P(x) * grow, x),
                 integrate("whole", x, weight=P(x) * grow)),
            step("polynomial", total(P(x) * grow, x) == total(coefficient * w(k), k),
                 arithmetic("by degree", "by report")),
        ],
    ),
    breaks=[
        edit("drop whole", "by report", instance(
            theta=1, degrees=[0], o=0, n=0, values=[1/2], P={1/2: 1}, w={0: 1})),
        edit("drop powers", "at 0"),
    ],
)
