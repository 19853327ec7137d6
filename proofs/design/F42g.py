"""F42: a release on one axis of the grid, from two sums that go along it.

D(x) is the mass of an atom times what its other coordinates give: axis by axis this takes as many
steps as there are grid points, for any number of coordinates.

Symbols:
theta: the scale
x: the coordinate of an atom
D: its mass
a, b: two neighbouring points, with no atom between them
v: any point
"""
from pfverify.proof.language import *

theta, (a, b), v = positive("theta"), constants("a b"), variables("v")
x, D, T = indices("x", "X"), functions("D"), exp(-(b - a) / theta)
before, here = indicator(v - x), indicator(-abs(b - x))  # x <= v, x = b
left = total(D(x) * exp(-(v - x) / theta) * before, x)
right = total(D(x) * exp(-(x - v) / theta) * (1 - before), x)
at_b, whole = total(D(x) * here, x), total(D(x) * exp(-abs(v - x) / theta), x)
to_b = at(left, {v: b}) == T * at(left, {v: a}) + at_b
to_a = at(right, {v: a}) == T * (at(right, {v: b}) + at_b)

Claim(
    id="F42g", source=paper("design", "F42"), result=PROVED,
    words="A release is the sum of what the atoms up to v and those after it give; from a point to "
          "the next one these change by the factor e^(-width/theta), and by the atom there",
    printed=proved(
        given={"gap": a < b, "no atom inside": x <= a or b <= x},
        example=instance(theta=1, a=0, b=1, X=[0, 1, 2], D={"else": 1}),
        statement=whole == left + right and to_b and to_a,
        steps=[
            step("whole", whole == left + right, termwise(arithmetic(), x)),
            step("to b", to_b, termwise(arithmetic("gap", "no atom inside"), x)),
            step("to a", to_a, termwise(arithmetic("gap", "no atom inside"), x)),
        ],
    ),
    breaks=[edit("drop no atom inside", "to b"), edit("drop gap", "to b")],
)
