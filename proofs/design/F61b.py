"""F61: a law of a box with two masses off their bounds is an average of two others of the box.

This is one step, which repeats as long as two masses are strictly inside: there are ever fewer.
What a ball of total variation takes from its centre (F61c) is in such a box.

Symbols:
x: a place
i, j: the places of the two masses
low, high: what the mass of a place is at least and at most
P: masses of the law
"""
from pfverify.proof.language import *

x, (i, j), (low, high, P) = indices("x", "X"), member("i j", "X"), masses("low high P")
move = indicator(-abs(x - i)) - indicator(-abs(x - j))
up, down = minimum(high(i) - P(i), P(j) - low(j)), minimum(P(i) - low(i), high(j) - P(j))
A, B, some, whole = P(x) + up * move, P(x) - down * move, up > 0 and down > 0, total(P(x), x)
A_i, A_j, B_i, B_j = at(A, {x: i}), at(A, {x: j}), at(B, {x: i}), at(B, {x: j})
members = (low(i) <= A_i <= high(i) and low(j) <= A_j <= high(j)
           and low(i) <= B_i <= high(i) and low(j) <= B_j <= high(j))
ends = (A_i == high(i) or A_j == low(j)) and (B_i == low(i) or B_j == high(j))
kept_A = total(A, x) == whole and implies(x != i and x != j, A == P(x))
kept_B = total(B, x) == whole and implies(x != i and x != j, B == P(x))
average = P(x) == (down * A + up * B) / (up + down) and some

Claim(
    id="F61b", source=paper("design", "F61"), result=PROVED,
    words="If two masses of a law in a box are strictly inside their bounds, it is an average, "
          "with weights > 0, of two laws in the box that move mass between the two places, each "
          "until one of the two masses is at a bound (one step, which repeats)",
    printed=proved(
        given={"inside": low(i) < P(i) and P(i) < high(i) and low(j) < P(j) and P(j) < high(j),
               "two places": i != j},
        example=instance(X=[0, 1, 2], i=0, j=1, low={"else": 0}, high={"else": 1/2},
                         P={0: 1/4, 1: 3/8, 2: 3/8}),
        statement=average and members and ends and kept_A and kept_B,
        steps=[
            step("some", some, arithmetic("inside")),
            step("average", average, arithmetic("some")),
            step("members", members, arithmetic("some", "two places", "inside")),
            step("ends", ends, arithmetic("two places")),
            step("A", kept_A, theorem("F61a", {"e": up})),
            step("B", kept_B, theorem("F61a", {"e": -down})),
            step("all", average and members and ends and kept_A and kept_B, arithmetic(
                "average", "members", "ends", "A", "B")),
        ],
    ),
    breaks=[
        edit("drop two places", "ends"),
        edit("drop inside", "some", instance(
            X=[0, 1], i=0, j=1, low={"else": 0}, high={"else": 1}, P={0: 0, 1: 1})),
    ],
)
