"""F43: one coordinate, or one release, reveals at most what all together reveal.

p(y, z) and q(y, z) are the densities of both coordinates under two secrets, with respect to any
laws S and T, whatever their joint law; p1 and q1 are those of the first alone.

Symbols:
E: e^epsilon
most: a bound of the densities
y, z: outputs
p, q: densities of all outputs under the two secrets
p1, q1: densities of the part
"""
from pfverify.proof.language import *

E, most, (y, z) = positive("E"), constants("most"), (draws("y", "S"), draws("z", "T"))
p, q, p1, q1 = masses("p q p1 q1")
one, both = maximum(p1(y) - E * q1(y), 0), maximum(p(y, z) - E * q(y, z), 0)

Claim(
    id="F43e", source=paper("design", "F43"), result=PROVED,
    words="The excess of p1 over E q1 of a part of the outputs is at most the excess of p over E q "
          "of all of them: no part has a larger epsilon, or a larger delta, than the whole",
    printed=proved(
        given={"most": p(y, z) <= most and q(y, z) <= most and p1(y) <= most and q1(y) <= most,
               "part": p1(y) == mean(p(y, z), z) and q1(y) == mean(q(y, z), z)},
        example=instance(E=1, most=2, S=law({0: 1/2, 1: 1/2}), T=law({0: 1/2, 1: 1/2}),
                         p={(0, 0): 2, (1, 1): 2}, q={(0, 1): 2, (1, 0): 2}, p1={"else": 1},
                         q1={"else": 1}),
        statement=mean(one, y) <= mean(both, y, z),
        steps=[
            step("term", p(y, z) - E * q(y, z) <= both and 0 <= both, arithmetic()),
            step("less", mean(p(y, z) - E * q(y, z), z) <= mean(both, z), termwise(
                arithmetic("term"), z)),
            step("some", 0 <= mean(both, z), termwise(arithmetic("term"), z)),
            step("one", one <= mean(both, z), arithmetic("less", "some", "part")),
            step("all", mean(one, y) <= mean(both, y, z), termwise(arithmetic("one"), y)),
        ],
    ),
    breaks=[edit("drop part", "one"), edit("drop most", "part")],
)
