"""F61: a law inside a ball of total variation with two masses > 0 is an average of two others.

So a law that is no average of others is at the radius (F61c), or all its mass is at one place. That
all laws are averages of such is Minkowski's theorem, not proved here. P is the middle of A and B.

Symbols:
x: a place
i, j: places where the law has mass
c: masses of the centre
P: masses of the law
eta: the radius
"""
from pfverify.proof.language import *

eta, x, (i, j), (c, P) = positive("eta"), indices("x", "X"), member("i j", "X"), masses("c P")
at_i, at_j, off = indicator(-abs(x - i)), indicator(-abs(x - j)), abs(P(x) - c(x))
e, whole = minimum(eta - total(off, x) / 2, P(i), P(j)), total(P(x), x)
A, B, more = P(x) + e * (at_i - at_j), P(x) - e * (at_i - at_j), off + e * (at_i + at_j)
masses_i, masses_j = at(A >= 0 and B >= 0, {x: i}), at(A >= 0 and B >= 0, {x: j})
kept_A = total(A, x) == whole and implies(x != i and x != j, A == P(x))
kept_B = total(B, x) == whole and implies(x != i and x != j, B == P(x))
laws = e > 0 and masses_i and masses_j and kept_A and kept_B
of_A, of_B = total(abs(A - c(x)), x), total(abs(B - c(x)), x)
near, other = of_A <= 2 * eta and of_B <= 2 * eta, at(A > P(x) and B < P(x), {x: i})
ones = total(at_i, x) == 1 and total(at_j, x) == 1

Claim(
    id="F61d", source=paper("design", "F61"), result=PROVED,
    words="A law less than eta from the centre in total variation, with mass at two places, is the "
          "middle of two other laws at most eta from it, which move some between the two places",
    printed=proved(
        given={"inside": total(off, x) < 2 * eta, "mass": P(i) > 0 < P(j), "two places": i != j},
        example=instance(X=[0, 1, 2], i=0, j=1, eta=1/2, c={0: 3/4, 1: 1/4},
                         P={0: 1/2, 1: 1/4, 2: 1/4}),
        statement=laws and near and other,
        steps=[
            step("e", e > 0, arithmetic("inside", "mass")),
            step("masses", masses_i and masses_j, arithmetic("e", "two places")),
            step("A", kept_A and ones, theorem("F61a", {"e": e})),
            step("B", kept_B, theorem("F61a", {"e": -e})),
            step("of A", of_A <= total(more, x), termwise(arithmetic("e"), x)),
            step("of B", of_B <= total(more, x), termwise(arithmetic("e"), x)),
            step("near", near, arithmetic("of A", "of B", "A")),
            step("other", other, arithmetic("e", "two places")),
            step("laws", laws, arithmetic("e", "masses", "A", "B")),
            step("all", laws and near and other, arithmetic("laws", "near", "other")),
        ],
    ),
    meaning=[total(P(x), x) == 1, total(c(x), x) == 1],
    breaks=[
        edit("drop inside", "e"), edit("drop mass", "e"), edit("drop two places", "other"),
    ],
)
