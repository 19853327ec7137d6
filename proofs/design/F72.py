"""F72: what is known of labels of the outputs bounds H from below.

A label is any function of the output (c(j, y) is 1 where it is j, else 0), or drawn from it; what
has none of the labels that are counted is in no event: of infinitely many, any finitely many count.
p and q are densities with respect to any law S (masses too).

Symbols:
E: e^epsilon, or any other factor
y: an output
j: a label
p, q: densities of the output under the two secrets
c: the chance of a label at an output
P: no more than the mass of a label under the first secret
Q: no less than that under the other
most: a bound of the densities (2, with respect to (P + Q)/2)
"""
from pfverify.proof.language import *

(E, most), y, j = constants("E most"), draws("y", "S"), indices("j", "Labels")
p, q, c, P, Q = masses("p q c P Q")
of_P, of_Q, above = mean(c(j, y) * p(y), y), mean(c(j, y) * q(y), y), maximum(p(y) - E * q(y), 0)
H, labelled, part = mean(above, y), total(maximum(P(j) - E * Q(j), 0), j), mean(c(j, y) * above, y)
exact = total(maximum(of_P - E * of_Q, 0), j)
bounds, once = p(y) <= most and q(y) <= most and c(j, y) <= 1, total(c(j, y), j) <= 1

Claim(
    id="F72", source=paper("design", "F72"), result=PROVED,
    words="The sum over finitely many labels j of the positive part of P(j) - E Q(j) is at most "
          "H_E(P||Q), where P(j) is at most the mass of the label under P, and Q(j) at least that "
          "under Q; an output has at most one label",
    printed=proved(
        given={"E": 0 <= E, "bounds": bounds, "once": once, "P": P(j) <= of_P, "Q": of_Q <= Q(j)},
        example=instance(E=1, most=2, S=law({0: 1/2, 1: 1/2}), Labels=[1, 2], p={0: 2}, q={1: 2},
                         c={(1, 0): 1, (2, 1): 1}, P={1: 1/2}, Q={2: 1}),
        statement=labelled <= exact and exact <= H,
        steps=[
            step("worse", labelled <= exact, termwise(arithmetic("E", "P", "Q"), j)),
            step("event", of_P - E * of_Q <= part, termwise(arithmetic(), y)),
            step("some", 0 <= part, termwise(arithmetic(), y)),
            step("label", maximum(of_P - E * of_Q, 0) <= part, arithmetic("event", "some")),
            step("sum", exact <= total(part, j), integrate("label", j)),
            step("at most", mean(total(c(j, y), j) * above, y) <= H, termwise(
                arithmetic("once"), y)),
            step("all", labelled <= exact and exact <= H, arithmetic("worse", "sum", "at most")),
        ],
    ),
    breaks=[
        edit("drop E", "worse"), edit("drop P", "worse"), edit("drop Q", "worse"),
        edit("drop once", "at most"),
    ],
)
