"""F73: bounds of the masses of added labels bound H of two independent parts from below.

The labels of both parts are those of F73b: the output of F72 is the pair of theirs. A product with
smaller masses under the first secret and larger ones under the other, or with labels left out, is
no larger: A and B may be rounded after each product.

Symbols:
E: e^epsilon, or any other factor
n: a label of both parts
y, z: outputs of the two parts
p1, q1: densities of the first part under the two secrets
p2, q2: those of the second part
c: the chance of a label at the two outputs
A: no more than the mass of a label under the first secret
B: no less than that under the other
most: a bound of the densities (2, with respect to (P + Q)/2)
"""
from pfverify.proof.language import *

(E, most), y, z, n = constants("E most"), draws("y", "S"), draws("z", "T"), indices("n", "Sums")
p1, q1, p2, q2, c, A, B = masses("p1 q1 p2 q2 c A B")
p, q, chance = p1(y) * p2(z), q1(y) * q2(z), c(n, y, z)
above, of_P, of_Q = maximum(p - E * q, 0), mean(chance * p, y, z), mean(chance * q, y, z)
H, part, labelled = mean(above, y, z), mean(chance * above, y, z), maximum(A(n) - E * B(n), 0)
bounds = (p1(y) <= most and q1(y) <= most and p2(z) <= most and q2(z) <= most
          and c(n, y, z) <= 1)

Claim(
    id="F73c", source=paper("design", "F73"), result=PROVED,
    words="The sum over the labels of two independent parts of the positive part of A - E B is at "
          "most H of the two parts, if A is no more than the mass of the label under the first "
          "secret, B no less than that under the other",
    printed=proved(
        given={"E": 0 <= E, "bounds": bounds, "once": total(chance, n) <= 1, "A": A(n) <= of_P,
               "B": of_Q <= B(n)},
        example=instance(E=1, most=2, S=law({0: 1/2, 1: 1/2}), T=law({0: 1}), Sums=[1], p1={0: 2},
                         q1={1: 2}, p2={0: 1}, q2={0: 1}, c={(1, 0, 0): 1}, A={1: 1/2}, B={}),
        statement=total(labelled, n) <= H,
        steps=[
            step("worse", labelled <= maximum(of_P - E * of_Q, 0), arithmetic("E", "A", "B")),
            step("event", of_P - E * of_Q <= part, termwise(arithmetic(), y, z)),
            step("some", 0 <= part, termwise(arithmetic(), y, z)),
            step("label", labelled <= part, arithmetic("worse", "event", "some")),
            step("sum", total(labelled, n) <= total(part, n), integrate("label", n)),
            step("at most", mean(total(chance, n) * above, y, z) <= H, termwise(
                arithmetic("once"), y, z)),
            step("all", total(labelled, n) <= H, arithmetic("sum", "at most")),
        ],
    ),
    breaks=[
        edit("drop E", "worse"), edit("drop A", "worse"), edit("drop B", "worse"),
        edit("drop once", "at most"),
    ],
)
