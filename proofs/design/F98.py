"""F98: R of atoms with Gaussian noise by a sum in equal steps, and what is left out of it.

In standard deviations. That a sum in steps of s is off the integral of what is at most M along the
edges of a strip of half width b by at most 2 M/(e^(2 pi b/s) - 1) is Theorem 5.1 of Trefethen and
Weideman 2014. At y + b i each atom has e^(b^2/2) times its size at y, turned by b (y - x): so p
has at most e^(b^2/2) p(y), and q, whose turns are within b range/2 of each other, at least
e^(b^2/2) cos(b range/2) q(y), and is not 0 (open: these two). So M is at most e^(b^2/2) cos(b
range/2)^(1-a) R. Beyond y0 and all atoms p is at most what a bell around its last atom m makes of
p(y0), and q at least its last atom n; what is left is a bell around c = a m + (1-a) n.

Symbols:
a: the order
b: half the width of the strip
m, n: the last atoms of both laws
x: an atom of the first
y0, y: the first place that is left out, and one beyond it
"""
from pfverify.proof.language import *

a, b, m, n, x, y0, y = constants("a b m n x y0 y")
c = a * m + (1 - a) * n
edge = exp(b**2 / 2) == exp(a * b**2 / 2) * exp((1 - a) * b**2 / 2)
last = exp(-(y - x)**2 / 2) * exp(-(y0 - m)**2 / 2) <= (
    exp(-(y0 - x)**2 / 2) * exp(-(y - m)**2 / 2))
square = a * (y - m)**2 + (1 - a) * (y - n)**2 == (y - c)**2 - a * (a - 1) * (m - n)**2
falls = exp(-(y - c)**2 / 2) <= exp(-(y0 - c)**2 / 2) * exp(-(y - y0) * (y0 - c))

Claim(
    id="F98", source=paper("design", "F98"), result=PROVED,
    words="Along the edge of the strip both growths together are e^(b^2/2); beyond all atoms the "
          "share of each in a bell around the last falls, and a (y-m)^2 + (1-a)(y-n)^2 is a square "
          "around a m + (1-a) n, whose bell falls at least geometrically",
    printed=proved(
        given={"atom": x <= m, "beyond": y0 <= y},
        example=instance(a=2, b=1, m=1, n=0, x=0, y0=3, y=4),
        statement=edge and last and square and falls,
        steps=[
            step("edge", edge, arithmetic()),
            step("product", 0 <= (m - x) * (y - y0), arithmetic("atom", "beyond")),
            step("last", last, arithmetic("product")),
            step("square", square, arithmetic()),
            step("more", 0 <= (y - y0)**2, arithmetic()),
            step("falls", falls, arithmetic("more")),
            step("all", edge and last and square and falls,
                 arithmetic("edge", "last", "square", "falls")),
        ],
    ),
    breaks=[edit("drop atom", "product"), edit("drop beyond", "product")],
)
