"""F42: with Laplace noise in any number of coordinates p <= E q holds if it does on the grid.

The grid has all combinations of the atoms' coordinates, perhaps more. Between neighbours the kernel
is a mixture of theirs (F4c), beyond the last a multiple (F4b). Ratios on a lattice are alike (F12).

Symbols:
x: an atom
D: P - E Q at it
l, i, b, d: coordinates, numbered
m, o, n: a coordinate, the first one and the last one
g, k: grid points
c: a coordinate of an atom
u: a coordinate of a grid point
y: a coordinate of the output
w: one over the scale of a coordinate
a: what a grid point counts
"""
from pfverify.proof.language import *

x, (l, i, b, d), (m, o, n) = indices("x", "X"), indices("l i b d", "L"), member("m o n", "L")
(g, k), t = indices("g k", "Grid"), variables("t")
(D, c, u, y), (w, a), done = functions("D c u y"), masses("w a"), indicator(t - i)
at_y, at_g = w(i) * abs(y(i) - c(i, x)), w(i) * abs(u(i, g) - c(i, x))
part, Y, U = done * at_y + (1 - done) * at_g, at(at_y, {i: l}), at(at_g, {i: l, g: k})
S = total(D(x) * exp(-total(part, i)), x)
on_grid, excess = total(D(x) * exp(-total(at_g, i)), x), total(D(x) * exp(-total(at_y, i)), x)

Claim(
    id="F42", source=paper("design", "F42"), result=PROVED,
    words="If the sum of (P - E Q) e^(-distances) is <= 0 at every point of the grid, it is at "
          "every output: the supremum of p/q is reached on the grid",
    open="that each output has such weights: F4c in a gap, one point alone at or beyond a cut",
    printed=proved(
        given={"coordinates": is_chain([b, d], [o, n]), "grid": on_grid <= 0,
               "only l": i == l or a(l, g, k) == 0 or u(i, k) == u(i, g),
               "between": exp(-Y) == total(a(l, g, k) * exp(-U), k)},
        example=instance(X=[0], L=[1, 2], Grid=[0], o=1, n=2, D={0: -1}, w={"else": 1},
                         c={"else": 0}, u={"else": 0}, y={"else": 0}, a={"else": 1}),
        statement=excess <= 0,
        steps=[
            step("ends", at(S, {t: o - 1}) == on_grid and at(S, {t: n}) == excess, theorem(
                "F42d", {}, "coordinates")),
            step("before o", at(S, {t: o - 1}) <= 0, arithmetic("ends", "grid")),
            step("o", at(S <= 0, {t: o}), theorem(
                "F42a", {"m": o}, "coordinates", "before o", use("only l", {l: o}), use(
                    "between", {l: o}))),
            step("up to l", at(S <= 0, {t: l}), induction("coordinates", "o", l, S <= 0, t, m, [
                step("next", at(S <= 0, {t: m}), theorem(
                    "F42a", {}, "coordinates", "before", use("only l", {l: m}), use(
                        "between", {l: m})))])),
            step("all", excess <= 0, arithmetic("ends", use("up to l", {l: n}))),
        ],
    ),
    breaks=[
        edit("drop grid", "before o"), edit("drop between", "o"), edit("drop only l", "o"),
        edit("drop coordinates", "ends"),
    ],
)
