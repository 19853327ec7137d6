"""F42: more points in a grid bring both sums of F42b nearer to delta.

At a cut the excess is a mixture of that at old points (F4c), and so the weights agree.

Symbols:
k: a point of the old grid
m: a point of the new one
G: the excess at an old point
H: the excess at a new point
W: the weight of an old point
V: the weight of a new point
b: what an old point counts for a new one
z: an old cell
s: a new cell
inside: whether a new cell is in an old one, 1 or 0
e: the excess of a new cell
"""
from pfverify.proof.language import *

k, m, z = indices("k", "Grid"), indices("m", "Finer"), indices("z", "Cells")
s, (G, H, e), (W, V, b, inside) = indices("s", "Parts"), functions("G H e"), masses("W V b inside")
upper, new_upper = total(W(k) * maximum(G(k), 0), k), total(V(m) * maximum(H(m), 0), m)
of_cell, parts = total(inside(z, s) * e(s), s), total(inside(z, s) * maximum(e(s), 0), s)
lower, new_lower = total(maximum(of_cell, 0), z), total(maximum(e(s), 0), s)
mixed = total(b(m, k) * maximum(G(k), 0), k)

Claim(
    id="F42f", source=paper("design", "F42"), result=PROVED,
    words="With more points in the grid the sum below delta is not less, that above it not more",
    printed=proved(
        given={"cells": total(inside(z, s), z) == 1, "H": H(m) == total(b(m, k) * G(k), k),
               "weights": W(k) == total(V(m) * b(m, k), m)},
        example=instance(Grid=[0, 1], Finer=[0, 1, 2], Cells=[0], Parts=[0, 1], G={0: 1, 1: -1},
                         b={(0, 0): 1, (2, 1): 1, (1, 0): 1/4, (1, 1): 1/2}, V={"else": 1},
                         H={0: 1, 1: -1/4, 2: -1}, W={0: 5/4, 1: 3/2}, inside={"else": 1},
                         e={0: 1, 1: -1}),
        statement=lower <= new_lower and new_upper <= upper, steps=[
            step("a part", of_cell <= parts, termwise(arithmetic(), s)),
            step("some", 0 <= parts, termwise(arithmetic(), s)),
            step("cell", maximum(of_cell, 0) <= parts, arithmetic("a part", "some")),
            step("all cells", lower <= total(parts, z), integrate("cell", z)),
            step("once", total(total(inside(z, s), z) * maximum(e(s), 0), s) == new_lower,
                 termwise(arithmetic("cells"), s)),
            step("H of", total(b(m, k) * G(k), k) <= mixed, termwise(arithmetic(), k)),
            step("no less", 0 <= mixed, termwise(arithmetic(), k)),
            step("new", maximum(H(m), 0) <= mixed, arithmetic("H of", "no less", "H")),
            step("all new", new_upper <= total(V(m) * mixed, m), integrate("new", m, weight=V(m))),
            step("old", upper == total(V(m) * mixed, m), integrate(
                "weights", k, weight=maximum(G(k), 0))),
            step("all", lower <= new_lower and new_upper <= upper, arithmetic(
                "all cells", "once", "all new", "old")),
        ],
    ),
    breaks=[edit("drop cells", "once"), edit("drop weights", "old"), edit("drop H", "new")],
)
