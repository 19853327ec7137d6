"""F42: with more axes the weights of grid points are products.

K1(y, x) is the kernel of one axis at an output y and an atom x, H1(k, x) that at a point k of its
grid, K2 and H2 those of another axis, which may be several already: any number is one by one.

Symbols:
x: an atom
D: P - E Q at it
y, z: outputs on the two axes
k, l: grid points on them
K1, K2: the kernels at outputs
H1, H2: the kernels at grid points
a1, a2: what a grid point counts for an output
cell1, cell2: whether an output is in a cell, 1 or 0
most: a bound of these
"""
from pfverify.proof.language import *

x, k, l, most = indices("x", "X"), indices("k", "Grid"), indices("l", "Other"), constants("most")
y, z, (D, K1, K2, H1, H2) = draws("y", "S"), draws("z", "T"), functions("D K1 K2 H1 H2")
a1, a2, cell1, cell2 = masses("a1 a2 cell1 cell2")
first, second = total(a1(k, y) * H1(k, x), k), total(a2(l, z) * H2(l, x), l)
excess, G = total(D(x) * K1(y, x) * K2(z, x), x), total(D(x) * H1(k, x) * H2(l, x), x)
mixture = excess == total(a1(k, y) * a2(l, z) * G, k, l)
weight_1, weight_2 = mean(cell1(y) * a1(k, y), y), mean(cell2(z) * a2(l, z), z)
weights = mean(cell1(y) * a1(k, y) * cell2(z) * a2(l, z), y, z) == weight_1 * weight_2

Claim(
    id="F42h", source=paper("design", "F42"), result=PROVED,
    words="If the kernel of each axis is a mixture of that at grid points, p - E q at an output is "
          "the mixture of that at pairs of grid points with the products of the weights; so are "
          "the weights of corners in a product of cells",
    printed=proved(
        given={"first": K1(y, x) == first, "second": K2(z, x) == second,
               "most": a1(k, y) <= most and a2(l, z) <= most and cell1(y) <= most
               and cell2(z) <= most},
        example=instance(S=law({0: 1}), T=law({0: 1}), X=[0], Grid=[0], Other=[0], most=1, D={0: 1},
                         K1={(0, 0): 1}, K2={(0, 0): 2}, H1={(0, 0): 1}, H2={(0, 0): 2},
                         a1={(0, 0): 1}, a2={(0, 0): 1}, cell1={0: 1}, cell2={0: 1}),
        statement=mixture and weights,
        steps=[
            step("in K1", excess == total(D(x) * first * K2(z, x), x), integrate(
                "first", x, weight=D(x) * K2(z, x))),
            step("in K2", total(D(x) * first * K2(z, x), x) == total(D(x) * first * second, x),
                 integrate("second", x, weight=D(x) * first)),
            step("mixture", mixture, arithmetic("in K1", "in K2")),
            step("weights", weights, identity()),
        ],
    ),
    breaks=[
        edit("drop first", "in K1"), edit("drop second", "in K2"), edit("drop most", "weights"),
    ],
)
