"""No condition depends on the zetas: their product is a common factor of both densities.

zeta(j) is the probability that j, one of first, ..., last, is present, Z(j) the product of these up
to j: the factor of (7)-(9) is Z(last). All four sets of secrets are about a user of law P against
one of law Q: a value a is the law that is a always, absence that of 0. Rest may be any law, so also
that of others who are there at random: Theorems 1 to 4 hold for it too.
"""
from pfverify.proof.language import *
from settings.users import *

(j, l), (first, last, g) = indices("j l", "Others"), member("first last g", "Others")
v, zeta, Z = variables("v"), masses("zeta"), functions("Z")
product = Z(first) == zeta(first) and (j == first or Z(j) == Z(j - 1) * zeta(j))
private, factor = from_P <= E * from_Q and from_Q <= E * from_P, Z(last)
with_zetas = factor * from_P <= E * factor * from_Q and factor * from_Q <= E * factor * from_P

Claim(
    id="M48", source=paper("multi-user", "Section 4"), result=PROVED,
    words="The conditions of Theorems 1 to 4 do not depend on the presence probabilities: with "
          "their product as a factor of both densities what is private stays so, and if it is not "
          "0 exactly that is private which is so without",
    printed=proved(
        given={"others": is_chain([j, l], [first, last]), "product": product},
        example=instance(theta=1, epsilon=1, Others=[1, 2], first=1, last=2, zeta={1: 1/2, 2: 1/3},
                         Z={1: 1/2, 2: 1/6, "else": 0}, P=law({0: 1}), Q=law({1: 1}),
                         Rest=law({0: 1})),
        statement=implies(private, with_zetas) and implies(
            factor > 0, iff(private, with_zetas)),
        steps=[
            step("first", Z(first) >= 0, arithmetic("product")),
            step("so far", Z(j) >= 0, induction("others", "first", j, Z(v) >= 0, v, g, [
                step("next", Z(g) >= 0, arithmetic("before", "not first", use("product", {j: g}))),
            ])),
            step("cancels", implies(private, with_zetas) and implies(
                factor > 0, iff(private, with_zetas)), arithmetic(use("so far", {j: last}))),
        ],
    ),
    breaks=[
        edit("with_zetas = factor * from_P <= from_Q", "cancels", instance(
            theta=1, epsilon=1, Others=[1], first=1, last=1, zeta={1: 1}, Z={1: 1, "else": 0},
            P=law({0: 1}), Q=law({1: 1}), Rest=law({0: 1})), {y: 0}),
        edit("drop others", "so far"),
    ],
)
