"""F109: with Gaussian noise D_a/a comes to d^2/(2V) at least, where P has atoms d beyond all of Q.

In standard deviations, m the last atom of P, of mass w, and n < m the last one of Q. Beyond n every
atom of Q has at most the bell around n, so q at most that, and p at least w times the bell around
m. So there p^a q^(1-a) is at least w^a e^(a (a-1) d^2/2) times the bell around c = m + (a-1) d,
and more than half of that is beyond n. With g = log R, g >= a (a-1) d^2/2 + a log w - log 2,
and D_a/a = g/(a (a-1)) comes to d^2/2 at least. The same on the other side.
open: the integral over what is beyond n, which is what `g` is given by

Symbols:
a: the order
m, n: the last atoms of both laws
x: an atom of the second one
y: a place beyond n
logw: the logarithm of the mass w of m
g: log R
"""
from pfverify.proof.language import *

a, m, n, x, y, logw, g = constants("a m n x y logw g")
c = m + (a - 1) * (m - n)
bell = exp(-(y - x)**2 / 2) <= exp(-(y - n)**2 / 2)
square = a * (y - m)**2 + (1 - a) * (y - n)**2 == (y - c)**2 - a * (a - 1) * (m - n)**2
beyond = n <= c
rises = (m - n)**2 / 2 + logw / (a - 1) - log(2) / (a * (a - 1)) <= g / (a * (a - 1))

Claim(
    id="F109", source=paper("design", "F109"), result=PROVED,
    words="Beyond n an atom below it has at most the bell around n; a (y-m)^2 + (1-a)(y-n)^2 is a "
          "square around a place beyond n; and D_a/a is then at least d^2/2 less what falls like "
          "1/(a-1)",
    printed=proved(
        given={"order": a > 1, "atom": x <= n, "place": n <= y, "last": n <= m,
               "g": a * (a - 1) * (m - n)**2 / 2 + a * logw - log(2) <= g},
        example=instance(a=2, m=1, n=0, x=0, y=1, logw=0, g=1),
        statement=bell and square and beyond and rises,
        steps=[
            step("product", 0 <= (n - x) * ((y - n) + (y - x)), arithmetic("atom", "place")),
            step("bell", bell, arithmetic("product")),
            step("square", square, arithmetic()),
            step("move", 0 <= (a - 1) * (m - n), arithmetic("order", "last")),
            step("beyond", beyond, arithmetic("move", "last")),
            step("rises", rises, arithmetic("g", "order")),
            step("all", bell and square and beyond and rises,
                 arithmetic("bell", "square", "beyond", "rises")),
        ],
    ),
    breaks=[edit("drop atom", "product"), edit("drop place", "product"), edit("drop last", "move")],
)
