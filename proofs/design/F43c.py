"""F43: with delta the losses of two independent coordinates add up at most: basic composition.

p1(y) and q1(y), p2(z) and q2(z) are the densities of the two coordinates under two secrets, with
respect to any laws S and T: to the mean of the two laws, for example, they are at most 2. More
coordinates are two and two. The order of the secrets is one.

Symbols:
A, B: e^epsilon of the two coordinates
most: a bound of the densities
y, z: outputs
p1, p2: their densities under the one secret
q1, q2: those under the other
"""
from pfverify.proof.language import *

(A, B), most, (y, z) = positive("A B"), constants("most"), (draws("y", "S"), draws("z", "T"))
p1, p2, q1, q2 = masses("p1 p2 q1 q2")
first, second = maximum(p1(y) - A * q1(y), 0), maximum(p2(z) - B * q2(z), 0)
both = maximum(p1(y) * p2(z) - A * B * (q1(y) * q2(z)), 0)
each, least = first * p2(z) + p1(y) * second, p1(y) - first

Claim(
    id="F43c", source=paper("design", "F43"), result=PROVED,
    words="For coordinates that are independent given the secret the excess of p1 p2 over A B q1 "
          "q2 is at most the excess of p1 over A q1 plus that of p2 over B q2",
    printed=proved(
        given={"most": p1(y) <= most and q1(y) <= most and p2(z) <= most and q2(z) <= most,
               "laws": mean(p1(y), y) == 1 and mean(p2(z), z) == 1},
        example=instance(A=1, B=1, most=2, S=law({0: 1/2, 1: 1/2}), T=law({0: 1}),
                         p1={0: 2}, q1={1: 2}, p2={0: 1}, q2={0: 1}),
        statement=mean(both, y, z) <= mean(first, y) + mean(second, z),
        steps=[
            step("least", 0 <= least and least <= A * q1(y) and least <= p1(y), arithmetic()),
            step("rest", p1(y) * p2(z) - A * B * (q1(y) * q2(z))
                 <= first * p2(z) + least * (p2(z) - B * q2(z)), arithmetic("least")),
            step("second", least * (p2(z) - B * q2(z)) <= p1(y) * second, arithmetic("least")),
            step("some", 0 <= each, arithmetic()),
            step("pairs", both <= each, arithmetic("rest", "second", "some")),
            step("means", mean(both, y, z) <= mean(each, y, z), termwise(
                arithmetic("pairs"), y, z)),
            step("all", mean(both, y, z) <= mean(first, y) + mean(second, z), arithmetic(
                "means", "laws")),
        ],
    ),
    breaks=[edit("drop laws", "all"), edit("drop most", "laws"), edit("least = p1(y)", "least")],
)
