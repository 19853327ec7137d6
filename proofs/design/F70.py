"""F70: of two parts that are independent under each secret, H is a mean of that of the second.

H_E(P||Q) = sup over events B of P(B) - E Q(B) is the sum, or integral, of the positive part of p -
E q: here p1, q1 are densities with respect to any law S, p2, q2 with respect to any law T (masses
too), with any sums. H2(t) is H_t of the second part. Where p1 = 0 nothing is added, whatever r is.

Symbols:
E: e^epsilon, or any other factor
y, z: outputs of the two parts
p1, q1: densities of the first part under the two secrets
p2, q2: those of the second part
r: q1/p1 at an output
H2: H of the second part
t: a factor
most: a bound of the densities (2, with respect to (P + Q)/2)
"""
from pfverify.proof.language import *

(E, most), t = constants("E most"), variables("t")
y, z, (p1, q1, p2, q2, r, H2) = draws("y", "S"), draws("z", "T"), masses("p1 q1 p2 q2 r H2")
at_y = mean(maximum(p1(y) * p2(z) - E * q1(y) * q2(z), 0), z)
whole = mean(maximum(p1(y) * p2(z) - E * q1(y) * q2(z), 0), y, z)
second = mean(maximum(p2(z) - t * q2(z), 0), z)
bounds = p1(y) <= most and q1(y) <= most and p2(z) <= most and q2(z) <= most and H2(t) <= most

Claim(
    id="F70", source=paper("design", "F70"), result=PROVED,
    words="H_E(P1 x P2 || Q1 x Q2) is the mean over the outputs y of the first part of p1(y) times "
          "H of the second part at E q1(y)/p1(y), where p1(y) = 0 gives 0",
    printed=proved(
        given={"E": 0 <= E, "bounds": bounds, "ratio": p1(y) == 0 or p1(y) * r(y) == q1(y),
               "H2": implies(0 <= t, H2(t) == second)},
        example=instance(E=2, most=2, S=law({0: 1/2, 1: 1/2}), T=law({0: 1/2, 1: 1/2}),
                         p1={0: 1, 1: 1}, q1={0: 2}, r={0: 2}, p2={0: 2}, q2={1: 2},
                         H2={"else": 1}),
        statement=whole == mean(p1(y) * H2(E * r(y)), y),
        steps=[
            step("none", implies(p1(y) == 0, at_y == 0), termwise(arithmetic("E"), z)),
            step("some", implies(p1(y) > 0, at_y == p1(y) * at(second, {t: E * r(y)})), termwise(
                arithmetic("ratio"), z)),
            step("factor", 0 <= E * r(y), arithmetic("E")),
            step("at y", at_y == p1(y) * H2(E * r(y)), arithmetic(
                "none", "some", "factor", use("H2", {t: E * r(y)}))),
            step("all", whole == mean(p1(y) * H2(E * r(y)), y), integrate("at y", y)),
        ],
    ),
    breaks=[
        edit("drop E", "none"), edit("drop ratio", "some"), edit("drop H2", "at y"),
    ],
)
