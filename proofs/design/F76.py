"""F76: with normal noise of one variance the loss of the output rises if that of X rises.

Twice the difference of the two products is a sum over pairs of atoms, of P(x) Q(w) - P(w) Q(x)
times what two normal densities make of it; both have the sign of x - w, or one is 0. Where Q(x) = 0
the ratio P(x)/Q(x) counts as infinite, so that it is written without a quotient. To have it fall
take -x and -y for x and y.

Symbols:
s: the standard deviation
y, z: outputs, z the larger
x, w: atoms
P, Q: masses of two priors
"""
from pfverify.proof.language import *

s, (y, z), (x, w), (P, Q) = positive("s"), variables("y z"), indices("x w", "X"), masses("P Q")
p, q = total(P(x) * normal_pdf(y, x, s), x), total(Q(x) * normal_pdf(y, x, s), x)
p_z, q_z = at(p, {y: z}), at(q, {y: z})
cross = normal_pdf(z, x, s) * normal_pdf(y, w, s) - normal_pdf(y, x, s) * normal_pdf(z, w, s)
less = P(x) * Q(w) - P(w) * Q(x)

Claim(
    id="F76", source=paper("design", "F76"), result=PROVED,
    words="If P(x)/Q(x) does not fall as x grows, then p(y)/q(y) does not fall as y grows, where p "
          "and q are the densities of X with normal noise of one variance: p(y) q(z) <= p(z) q(y) "
          "for y <= z",
    printed=proved(
        given={"ratio": implies(w < x, P(w) * Q(x) <= P(x) * Q(w))},
        example=instance(s=1, X=[0, 1, 2], P={1: 1/2, 2: 1/2}, Q={0: 1/2, 1: 1/2}),
        statement=implies(y <= z, p * q_z <= p_z * q),
        steps=[
            step("exponents", (z - x)**2 + (y - w)**2
                 == (y - x)**2 + (z - w)**2 - 2 * (z - y) * (x - w), identity()),
            step("right", implies(y <= z and w <= x, 0 <= cross), arithmetic("exponents")),
            step("left", implies(y <= z and x <= w, cross <= 0), arithmetic("exponents")),
            step("pair", implies(y <= z, 0 <= less * cross), arithmetic(
                "right", "left", "ratio", use("ratio", {x: w, w: x}))),
            step("sum", implies(y <= z, 0 <= total(less * cross, x, w)), integrate("pair", x, w)),
            step("both", total(less * cross, x, w) == 2 * (p_z * q - p * q_z), identity()),
            step("all", implies(y <= z, p * q_z <= p_z * q), arithmetic("sum", "both")),
        ],
    ),
    breaks=[edit("drop ratio", "pair"), edit("less = P(x) * Q(w)", "pair")],
)
