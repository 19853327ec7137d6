"""F61: a law at the radius of a ball of total variation is an average: one place gets all.

It adds s to the centre and takes r, both of sum eta, nowhere both. The taken r is in a box with the
sum eta, so of such r an average by F61b. A law inside the ball: F61d.

Symbols:
x: a place
z: the place that gets all
c: masses of the centre
s: what the law adds
r: what it takes
eta: the radius
"""
from pfverify.proof.language import *

eta, (x, z), (c, s, r) = positive("eta"), indices("x z", "X"), masses("c s r")
at_z, weight = indicator(-abs(x - z)), s(z) / eta
law_z, law_s = c(x) + eta * at_z - r(x), c(x) + s(x) - r(x)
average = law_s == total(weight * law_z, z) and total(weight, z) == 1
laws = law_z >= 0 and total(law_z, x) == total(c(x), x)
apart = weight == 0 or r(z) == 0

Claim(
    id="F61c", source=paper("design", "F61"), result=PROVED,
    words="A law c + s - r with s and r of sum eta, r <= c and s r = 0 is the average, with the "
          "weights s(z)/eta, of c + eta at z - r: laws, as c is, in each of which one place gets "
          "eta and loses nothing",
    printed=proved(
        given={"sums": total(s(x), x) == eta == total(r(x), x), "member": r(x) <= c(x),
               "not both": s(x) == 0 or r(x) == 0},
        example=instance(X=[0, 1, 2], eta=1/4, c={0: 1/2, 1: 1/4, 2: 1/4}, s={1: 1/8, 2: 1/8},
                         r={0: 1/4}),
        statement=average and laws and apart,
        steps=[
            step("not z", implies(z != x, at_z == 0), arithmetic()),
            step("at x", total(s(z) * at_z, z) == s(x), single("not z", z, weight=s(z))),
            step("one", total(weight, z) == 1, arithmetic("sums")),
            step("average", average, arithmetic("one", "at x")),
            step("masses", law_z >= 0, arithmetic("member")),
            step("not x", implies(x != z, at_z == 0), arithmetic()),
            step("one z", total(at_z, x) == 1, single("not x", x)),
            step("laws", laws, arithmetic("masses", "one z", "sums")),
            step("apart", apart, arithmetic(use("not both", {x: z}))),
            step("all", average and laws and apart, arithmetic("average", "laws", "apart")),
        ],
    ),
    meaning=[total(c(x), x) == 1],
    breaks=[
        edit("drop sums", "one"), edit("drop member", "masses", instance(
            X=[0, 1], eta=1/2, c={1: 1}, s={1: 1/2}, r={0: 1/2}), {x: 0, z: 1}),
        edit("drop not both", "apart"),
    ],
)
