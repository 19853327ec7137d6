"""F40: what Laplace releases of one X reveal at equal outputs, and count releases of one scale.

With F40 the loss of releases with fixed scales is that of one release, on any X.

Symbols:
theta: a scale
P: masses of a prior, or what is between two priors
x: an atom
j: a release
w: one over the scale of a release
a: the output of every release
count: how many releases there are
"""
from pfverify.proof.language import *

(theta, count), a, P = positive("theta count"), constants("a"), functions("P")
x, j, w = indices("x", "X"), indices("j", "Releases"), masses("w")
spent = total(w(j), j)
alike = total(P(x) * exp(-total(w(j) * abs(a - x), j)), x)
one = total(P(x) * exp(-spent * abs(a - x)), x)

Claim(
    id="F40e", source=paper("design", "F40"), result=PROVED,
    words="The likelihood of releases at equal outputs a is, up to a constant, that of one release "
          "at a whose 1/scale is the sum of theirs, so that their loss is not less",
    printed=proved(
        statement=alike == one,
        steps=[step("at a", alike == one, identity())],
    ),
    tighter=proved(
        words="1/(count theta), count times, is 1/theta: the least scale of count releases is "
              "count times that of one",
        given={"scales": w(j) == 1 / (count * theta), "count": total(1, j) == count},
        example=instance(theta=1, count=2, a=0, X=[0], Releases=[1, 2], w={"else": 1/2},
                         P={0: 1}),
        statement=spent == 1 / theta and alike == total(P(x) * exp(-abs(a - x) / theta), x),
        steps=[
            step("sum", spent == total(1, j) / (count * theta), integrate("scales", j)),
            step("scale", spent == 1 / theta, arithmetic("sum", "count")),
            step("each", exp(-spent * abs(a - x)) == exp(-abs(a - x) / theta), arithmetic("scale")),
            step("at a", alike == total(P(x) * exp(-abs(a - x) / theta), x),
                 integrate("each", x, weight=P(x))),
        ],
    ),
    breaks=[
        edit("drop count", "scale"), edit("drop scales", "sum"),
        edit("one = total(P(x) * exp(-spent * abs(a - x) / 2), x)", "at a"),
    ],
)
