"""F117: R of atoms with discrete Gaussian noise is a sum over a lattice, and what is left out.

With s = 1/variance, masses are sums of e^(-s (y-x)^2/2) around atoms x, but for a factor that both
laws share (F116). Beyond y0 and all atoms of p that is at most what a bell around its last atom m
makes of it there, and q at least its last atom n; what is left is a bell around c = a m + (1-a) n.
Its points from y0 on have at most 1/(1 - e^(-s (y0-c))) times what it has at y0, as each of them
has at most e^(-s (y0-c)) times the one before. Steps that join points make no more of them (F90).

Symbols:
a: the order
m, n: the last atoms of both laws
s: one over the variance, in steps of the lattice
x: an atom of the first
y0, y: the first point that is left out, and one beyond it
"""
from pfverify.proof.language import *

a, m, n, x, y0, y = constants("a m n x y0 y")
s = positive("s")
c = a * m + (1 - a) * n
last = exp(-s * (y - x)**2 / 2) * exp(-s * (y0 - m)**2 / 2) <= (
    exp(-s * (y0 - x)**2 / 2) * exp(-s * (y - m)**2 / 2))
square = a * (y - m)**2 + (1 - a) * (y - n)**2 == (y - c)**2 - a * (a - 1) * (m - n)**2
falls = exp(-s * (y + 1 - c)**2 / 2) <= exp(-s * (y - c)**2 / 2) * exp(-s * (y0 - c))

Claim(
    id="F117", source=paper("design", "F117"), result=PROVED,
    words="Beyond all atoms the share of each in a bell around the last falls; a (y-m)^2 + (1-a) "
          "(y-n)^2 is a square around a m + (1-a) n; and each point of its bell from y0 on has at "
          "most e^(-s (y0-c)) times the one before",
    printed=proved(
        given={"atom": x <= m, "beyond": y0 <= y},
        example=instance(a=2, m=1, n=0, s=1, x=0, y0=3, y=4),
        statement=last and square and falls,
        steps=[
            step("product", 0 <= s * (m - x) * (y - y0), arithmetic("atom", "beyond")),
            step("last", last, arithmetic("product")),
            step("square", square, arithmetic()),
            step("more", 0 <= s * (y - y0), arithmetic("beyond")),
            step("next", s * (y0 - c) + s * (y - c)**2 / 2 <= s * (y + 1 - c)**2 / 2,
                 arithmetic("more")),
            step("falls", falls, arithmetic("next")),
            step("all", last and square and falls, arithmetic("last", "square", "falls")),
        ],
    ),
    breaks=[edit("drop atom", "product"), edit("drop beyond", "product")],
)
