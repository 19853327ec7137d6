"""F73: labels of two parts that are added are labels of both, with the products' masses.

s is 1 where n = j + k, else 0; sums that are not among the n are left out. It is about one secret:
P1, P2 serve for the first one, Q1, Q2 for the other. More parts are two and two.

Symbols:
j, k, n: labels of the two parts and of both
y, z: outputs of the two parts
p1, p2: their densities under a secret
c, d: chances of labels at outputs
P1, P2: bounds from below of the masses of labels
Q1, Q2: bounds from above
most: a bound of the densities
"""
from pfverify.proof.language import *

y, z, most = draws("y", "S"), draws("z", "T"), constants("most")
j, k, n = indices("j", "First"), indices("k", "Second"), indices("n", "Sums")
p1, p2, c, d, P1, P2, Q1, Q2 = masses("p1 p2 c d P1 P2 Q1 Q2")
s, of_j, of_k = indicator(-abs(n - j - k)), mean(c(j, y) * p1(y), y), mean(d(k, z) * p2(z), z)
label = total(c(j, y) * d(k, z) * s, j, k)
below, above = total(P1(j) * P2(k) * s, j, k), total(Q1(j) * Q2(k) * s, j, k)
mass = mean(label * p1(y) * p2(z), y, z)
bounds = p1(y) <= most and p2(z) <= most and c(j, y) <= 1 and d(k, z) <= 1

Claim(
    id="F73b", source=paper("design", "F73"), result=PROVED,
    words="If two independent parts have labels, the sum of the labels is a label of both; "
          "coefficients of products of polynomials bound its masses, from below if those of the "
          "parts are bounds from below, from above if they are bounds from above",
    printed=proved(
        given={"bounds": bounds, "once": total(c(j, y), j) <= 1 and total(d(k, z), k) <= 1,
               "sums": total(s, n) <= 1, "less": P1(j) <= of_j and P2(k) <= of_k,
               "more": of_j <= Q1(j) and of_k <= Q2(k)},
        example=instance(most=2, S=law({0: 1}), T=law({0: 1}), First=[0, 1], Second=[0],
                         Sums=[0, 1], p1={0: 1}, p2={0: 1}, c={(0, 0): 1}, d={(0, 0): 1},
                         P1={0: 1}, P2={0: 1}, Q1={0: 1}, Q2={0: 1}),
        statement=total(label, n) <= 1 and below <= mass and mass <= above,
        steps=[
            step("places", total(label, n) <= total(c(j, y) * d(k, z), j, k), termwise(
                arithmetic("sums"), j, k)),
            step("first", total(c(j, y) * total(d(k, z), k), j) <= total(c(j, y), j), termwise(
                arithmetic("once"), j)),
            step("label", total(label, n) <= 1, arithmetic("places", "first", "once")),
            step("pair less", P1(j) * P2(k) <= of_j * of_k, arithmetic("less")),
            step("P", below <= mass, integrate("pair less", j, k, weight=s)),
            step("pair more", of_j * of_k <= Q1(j) * Q2(k), arithmetic("less", "more")),
            step("Q", mass <= above, integrate("pair more", j, k, weight=s)),
        ],
    ),
    breaks=[
        edit("drop sums", "places"), edit("drop once", "first"), edit("drop less", "pair less"),
        edit("drop more", "pair more"),
    ],
)
