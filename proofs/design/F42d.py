"""F42: with no coordinate exchanged it is a grid point, with all of them the output.

Symbols:
x: an atom
D: P - E Q at it
i, b, d: coordinates, numbered
o, n: the first one and the last one
g: a grid point
c: a coordinate of an atom
u: a coordinate of a grid point
y: a coordinate of the output
w: one over the scale of a coordinate
"""
from pfverify.proof.language import *

x, (i, b, d), (o, n) = indices("x", "X"), indices("i b d", "L"), member("o n", "L")
g, t, (D, c, u, y), w = indices("g", "Grid"), variables("t"), functions("D c u y"), masses("w")
at_y, at_g, done = w(i) * abs(y(i) - c(i, x)), w(i) * abs(u(i, g) - c(i, x)), indicator(t - i)
part = done * at_y + (1 - done) * at_g
M, S = total(part, i), total(D(x) * exp(-total(part, i)), x)
M_g, M_y = total(at_g, i), total(at_y, i)
start, end = {t: o - 1}, {t: n}
ends = at(S, start) == total(D(x) * exp(-M_g), x) and at(S, end) == total(D(x) * exp(-M_y), x)

Claim(
    id="F42d", source=paper("design", "F42"), result=PROVED,
    words="The sum of (P - E Q) e^(-distances), the coordinates up to t being those of y, is that "
          "at the grid point before the first coordinate, and that at y from the last one on",
    printed=proved(
        given={"coordinates": is_chain([b, d], [o, n])}, statement=ends,
        example=instance(X=[0], L=[1, 2], Grid=[0], o=1, n=2, D={0: 1}, w={"else": 1},
                         c={"else": 0}, u={"else": 0}, y={"else": 0}),
        steps=[
            step("none", at(part, start) == at_g, arithmetic(use("coordinates", {d: i}))),
            step("no part", at(M, start) == M_g, integrate("none", i)),
            step("at g", exp(-at(M, start)) == exp(-M_g), arithmetic("no part")),
            step("first", at(S, start) == total(D(x) * exp(-M_g), x), integrate(
                "at g", x, weight=D(x))),
            step("every", at(part, end) == at_y, arithmetic(use("coordinates", {d: i}))),
            step("all parts", at(M, end) == M_y, integrate("every", i)),
            step("at y", exp(-at(M, end)) == exp(-M_y), arithmetic("all parts")),
            step("last", at(S, end) == total(D(x) * exp(-M_y), x), integrate(
                "at y", x, weight=D(x))),
            step("ends", ends, arithmetic("first", "last")),
        ],
    ),
    breaks=[edit("drop coordinates", "none")],
)
