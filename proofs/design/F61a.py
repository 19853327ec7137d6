"""F61: mass that moves from a place to another changes no other mass, and no sum.

Symbols:
x: a place
i, j: where mass comes to, and from where
e: how much
P: masses of a law
"""
from pfverify.proof.language import *

e, x, (i, j), P = constants("e"), indices("x", "X"), member("i j", "X"), masses("P")
at_i, at_j = indicator(-abs(x - i)), indicator(-abs(x - j))  # x = i, x = j
A = P(x) + e * (at_i - at_j)
one, kept = total(at_i, x) == 1 and total(at_j, x) == 1, total(A, x) == total(P(x), x)
others = implies(x != i and x != j, A == P(x))

Claim(
    id="F61a", source=paper("design", "F61"), result=PROVED,
    words="If the masses of a law change by e at one place and by -e at another, their sum is what "
          "it was, and so is every other mass",
    printed=proved(
        example=instance(X=[0, 1, 2], i=0, j=1, e=1/4, P={1: 1/2, 2: 1/2}),
        statement=kept and others and one,
        steps=[
            step("not i", implies(x != i, at_i == 0), arithmetic()),
            step("not j", implies(x != j, at_j == 0), arithmetic()),
            step("one i", total(at_i, x) == 1, single("not i", x)),
            step("one j", total(at_j, x) == 1, single("not j", x)),
            step("all", kept and others and one, arithmetic("one i", "one j", "not i", "not j")),
        ],
    ),
    breaks=[edit("A = P(x) + e * at_i", "all"), edit("at_j = indicator(x - j)", "not j")],
)
