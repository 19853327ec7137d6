"""F60: the same where mass may move: every mass goes to the place of the largest k that it may.

In a ball of the infinite Wasserstein distance on an alphabet mass moves at most so far. For the
least take -k for k.

Symbols:
x: a place
z: a place from which mass moves
c: masses of the centre
pi: the mass that moves from a place to another
M: the largest k that the mass of a place may reach
k: what a place counts
"""
from pfverify.proof.language import *

(x, z), (c, pi), (k, M) = indices("x z", "X"), masses("c pi"), functions("k M")
moved, most = total(total(pi(z, x), z) * k(x), x), total(c(z) * M(z), z)

Claim(
    id="F60c", source=paper("design", "F60"), result=PROVED,
    words="If mass of a place moves only to places where k is at most M, the sum of k over what "
          "has moved is at most that of M over what moves: no more than if every mass goes whole "
          "to the place of the largest k that it may",
    printed=proved(
        given={"all moves": c(z) == total(pi(z, x), x),
               "reach": pi(z, x) == 0 or k(x) <= M(z)},
        example=instance(X=[0, 1], c={0: 1/2, 1: 1/2}, pi={(0, 0): 1/4, (0, 1): 1/4, (1, 1): 1/2},
                         k={0: 0, 1: 1}, M={"else": 1}),
        statement=moved <= most,
        steps=[
            step("each", total(pi(z, x) * k(x), x, z) <= total(pi(z, x) * M(z), x, z), termwise(
                arithmetic("reach"), x, z)),
            step("from z", most == total(pi(z, x) * M(z), x, z), integrate(
                "all moves", z, weight=M(z))),
            step("all", moved <= most, arithmetic("each", "from z")),
        ],
    ),
    meaning=[total(c(z), z) == 1],
    breaks=[
        edit("drop reach", "each", instance(
            X=[0, 1], c={0: 1}, pi={(0, 1): 1}, k={0: 0, 1: 1}, M={"else": 0})),
        edit("drop all moves", "from z", instance(
            X=[0], c={0: 1}, pi={(0, 0): 2}, k={0: 1}, M={0: 1})),
    ],
)
