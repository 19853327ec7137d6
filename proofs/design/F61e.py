"""F61: moves of mass are an average of moves in which the mass of one place goes whole.

This is one step, for the place o: once it was taken for every place, all masses go whole.

Symbols:
x: a place
z: a place from which mass moves
w: where the mass of o goes whole
o: the place of the step
c: masses of the centre
pi: the mass that moves from a place to another
"""
from pfverify.proof.language import *

(x, z, w), o, (c, pi) = indices("x z w", "X"), member("o", "X"), masses("c pi")
at_o, at_w, weight = indicator(-abs(z - o)), indicator(-abs(x - w)), pi(o, w) / c(o)
moved, rest = total(pi(z, x), z), total(pi(z, x) * (1 - at_o), z)
whole = rest + c(o) * at_w

Claim(
    id="F61e", source=paper("design", "F61"), result=PROVED,
    words="A law that moves of mass make of a centre is the average, with the weights "
          "pi(o, w)/c(o), of those in which all mass of one place o goes to w and the rest moves "
          "as before (one step, for one place)",
    printed=proved(
        given={"all moves": c(o) == total(pi(o, x), x), "mass": c(o) > 0},
        example=instance(X=[0, 1], o=0, c={0: 1/2, 1: 1/2}, pi={(0, 0): 1/4, (0, 1): 1/4,
                                                                (1, 1): 1/2}),
        statement=moved == total(weight * whole, w) and total(weight, w) == 1,
        steps=[
            step("not o", implies(z != o, at_o == 0), arithmetic()),
            step("of o", total(pi(z, x) * at_o, z) == pi(o, x), single(
                "not o", z, weight=pi(z, x))),
            step("not x", implies(w != x, at_w == 0), arithmetic()),
            step("to x", total(pi(o, w) * at_w, w) == pi(o, x), single(
                "not x", w, weight=pi(o, w))),
            step("one", total(weight, w) == 1, arithmetic("all moves", "mass")),
            step("all", moved == total(weight * whole, w) and total(weight, w) == 1, arithmetic(
                "of o", "to x", "one", "mass")),
        ],
    ),
    breaks=[edit("drop all moves", "one"), edit("drop mass", "one")],
)
