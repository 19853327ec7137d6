"""F60: in a box of laws one member releases most at a point, and one releases least.

F has the masses below, filled up to those above from the places of the largest k on, B from those
of the smallest k on: kappa, and mu, is k at the place that is filled in part. With Laplace noise
k(x) is e^(-|a - x|/theta), so that F is filled from the places next to a on.

Symbols:
x: a place
low, high: what the mass of a place is at least and at most
P: masses of a member
F: masses of the member with most mass where k is large
B: masses of the member with most mass where k is small
k: what a place counts
kappa: k at the place that F fills in part
mu: k at the place that B fills in part
"""
from pfverify.proof.language import *

(kappa, mu), x = constants("kappa mu"), indices("x", "X")
(low, high, P, F, B), k = masses("low high P F B"), functions("k")
most = implies(k(x) > kappa, F(x) == high(x)) and implies(k(x) < kappa, F(x) == low(x))
least = implies(k(x) < mu, B(x) == high(x)) and implies(k(x) > mu, B(x) == low(x))
of_P, of_F, of_B = total(P(x) * k(x), x), total(F(x) * k(x), x), total(B(x) * k(x), x)

Claim(
    id="F60", source=paper("design", "F60"), result=PROVED,
    words="Of laws on finitely many places with bounds for each mass, the sum of P k is largest "
          "for the one that is filled from the places of the largest k on, and smallest for that "
          "filled from the places of the smallest k on",
    printed=proved(
        given={"box": low(x) <= P(x) <= high(x), "most": most, "least": least,
               "sum of F": total(F(x), x) == total(P(x), x),
               "sum of B": total(B(x), x) == total(P(x), x)},
        example=instance(X=[0, 1, 2], kappa=2, mu=2, low={"else": 1/8}, high={"else": 1/2},
                         P={0: 1/4, 1: 1/4, 2: 1/2}, F={0: 1/8, 1: 3/8, 2: 1/2},
                         B={0: 1/2, 1: 3/8, 2: 1/8}, k={0: 1, 1: 2, 2: 3}),
        statement=of_B <= of_P and of_P <= of_F,
        steps=[
            step("above kappa", (F(x) - P(x)) * (k(x) - kappa) >= 0, arithmetic("box", "most")),
            step("below mu", (B(x) - P(x)) * (mu - k(x)) >= 0, arithmetic("box", "least")),
            step("F", of_P <= of_F, theorem("F60a", {}, "above kappa", "sum of F")),
            step("B", of_B <= of_P, theorem("F60a", {
                "F": B, "kappa": -mu, "k": maps(x, -k(x))}, "below mu", "sum of B")),
            step("all", of_B <= of_P and of_P <= of_F, arithmetic("F", "B")),
        ],
    ),
    meaning=[total(P(x), x) == 1],
    breaks=[
        edit("drop box", "above kappa", instance(
            X=[0, 1], kappa=1, mu=1, low={"else": 1/2}, high={"else": 1/2}, P={1: 1},
            F={"else": 1/2}, B={"else": 1/2}, k={0: 0, 1: 2}), {x: 1}),
        edit("drop most", "above kappa", instance(
            X=[0, 1], kappa=1, mu=1, low={"else": 0}, high={"else": 1}, P={1: 1},
            F={0: 1}, B={0: 1}, k={0: 0, 1: 2}), {x: 1}),
        edit("drop least", "below mu", instance(
            X=[0, 1], kappa=1, mu=1, low={"else": 0}, high={"else": 1}, P={0: 1},
            F={1: 1}, B={1: 1}, k={0: 0, 1: 2}), {x: 1}),
        edit("drop sum of F", "F"),
        edit("drop sum of B", "B"),
    ],
)
