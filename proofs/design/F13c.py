"""F13: the mixed difference of a joint distribution function is the mass of a pair of letters."""
from pfverify.proof.language import *

h, (u, v) = positive("h"), variables("u v")
a, b, k, x, z = indices("a b k x z", "X")
pi = masses("pi")
J = total(pi(a, b) * indicator(u - a) * indicator(v - b), a, b)
row = indicator(x - a) - indicator(x - h - a)  # 1 at a = x, 0 elsewhere
column = indicator(z - b) - indicator(z - h - b)
mixed = difference(difference(J, u, x, h), v, z, h)

Claim(
    id="F13c", source=paper("design", "F13"), result=PROVED,
    words="On letters at least h apart, J(x,z) - J(x-h,z) - J(x,z-h) + J(x-h,z-h) is the mass of "
          "(x, z), for the joint distribution function J of a plan",
    printed=proved(
        given={"apart": implies(k != x, abs(k - x) >= h)},
        example=instance(h=1, X=[0, 1, 3], pi={(0, 1): 1/2, (3, 3): 1/2}),
        statement=mixed == pi(x, z),
        steps=[
            step("row", implies(a != x, row == 0), arithmetic(use("apart", {k: a}))),
            step("in x", total(pi(a, b) * row, a) == pi(x, b) * (1 - indicator(-h)),
                 single("row", a, weight=pi(a, b))),
            step("rows", mixed == total(pi(x, b) * (1 - indicator(-h)) * column, b),
                 integrate("in x", b, weight=column)),
            step("in z", total(pi(x, b) * column, b) == pi(x, z) * (1 - indicator(-h)),
                 single(use("row", {a: b, x: z}), b, weight=pi(x, b))),
            step("mass", mixed == pi(x, z), arithmetic("rows", "in z")),
        ],
    ),
    breaks=[edit("drop apart", "row", instance(h=1, X=[0, 1/2], pi={(0, 0): 1/2, (1/2, 0): 1/2}))],
)
