"""F42: what delta is, between two sums over a grid.

f is the density of p - E q with respect to any law S of outputs, of any number of coordinates: a
mixture of that at grid points around (F42h), with weights a(k, y). In a cell a corner k has the
mean of cell a as its weight (F42c).

Symbols:
y: an output
z: a cell
cell: whether an output is in a cell, 1 or 0
k: a grid point
G: the excess p - E q at it
a: what a grid point counts for an output
f: the excess at an output
most: a bound of f and of a
"""
from pfverify.proof.language import *

y, k, z, most = draws("y", "S"), indices("k", "Grid"), indices("z", "Cells"), constants("most")
(G, f), (a, cell) = functions("G f"), masses("a cell")
above, delta = maximum(f(y), 0), mean(maximum(f(y), 0), y)
of_cell = total(mean(cell(z, y) * a(k, y), y) * G(k), k)
in_cell, most_y = mean(cell(z, y) * above, y), total(a(k, y) * maximum(G(k), 0), k)
lower, upper = total(maximum(of_cell, 0), z), total(mean(a(k, y), y) * maximum(G(k), 0), k)

Claim(
    id="F42b", source=paper("design", "F42"), result=PROVED,
    words="delta is at least the sum over the cells of the positive part of their excess, a sum "
          "over corners, and at most the sum over the grid points of the positive part of the "
          "excess there, each with all its weights",
    open="that the excess is such a mixture, with these weights (F4c, F42c, F42e; products: F42h)",
    printed=proved(
        given={"most": abs(f(y)) <= most and a(k, y) <= most and cell(z, y) <= most,
               "mixture": f(y) == total(a(k, y) * G(k), k), "cells": total(cell(z, y), z) == 1},
        example=instance(S=law({0: 1/2, 1: 1/2}), Grid=[0, 1], Cells=[0], most=1, G={0: 1, 1: -1},
                         f={0: 1, 1: -1}, a={(0, 0): 1, (1, 1): 1}, cell={"else": 1}),
        statement=lower <= delta <= upper,
        steps=[
            step("it", of_cell == mean(cell(z, y) * f(y), y), termwise(arithmetic("mixture"), y)),
            step("part", mean(cell(z, y) * f(y), y) <= in_cell, termwise(arithmetic(), y)),
            step("some", 0 <= in_cell, termwise(arithmetic(), y)),
            step("cell", maximum(of_cell, 0) <= in_cell, arithmetic("it", "part", "some")),
            step("sum", lower <= total(in_cell, z), integrate("cell", z)),
            step("whole", mean(total(cell(z, y), z) * above, y) == delta, termwise(
                arithmetic("cells"), y)),
            step("lower", lower <= delta, arithmetic("sum", "whole")),
            step("at y", total(a(k, y) * G(k), k) <= most_y, termwise(arithmetic(), k)),
            step("no less", 0 <= most_y, termwise(arithmetic(), k)),
            step("upper", delta <= upper, termwise(arithmetic("mixture", "at y", "no less"), y)),
        ],
    ),
    breaks=[edit("drop cells", "whole"), edit("drop mixture", "it")],
)
