"""F72: masses at finitely many losses bound H from below if on each piece one event shows it.

The pieces cover what is >= 0: from 0 to the first e^l, from one to the next, and beyond the last.
On them F72a holds, beyond them F72c, and together F71c.

Symbols:
k, i: pieces but the last, numbered
o, n: the first and the last of these
low, high: the ends of a piece
c: the chance of the event of a piece at an output
d: the chance of the event of the last piece
"""
from pfverify.proof.language import *
from settings.losses import *

(k, i), (o, n) = indices("k i", "Pieces"), member("o n", "Pieces")
(low, high), (c, d) = functions("low high"), masses("c d")
below_c = h <= mean(c(k, y) * p(y), y) - E * mean(c(k, y) * q(y), y)
below_d = at(h, {E: high(n)}) <= mean(d(y) * p(y), y)

Claim(
    id="F72b", source=paper("design", "F72"), result=PROVED,
    words="If on each piece between neighbouring points of 0 and the e^l of the losses h is at "
          "both ends at most P(B) - E Q(B) of one event B, and at the last point at most P(B) of "
          "one with Q(B) = 0, then h <= H at every E >= 0",
    printed=proved(
        given={"pieces": is_chain([i, k], [o, n]), "E": 0 <= E, "from 0": low(o) == 0,
               "meet": implies(k != o, low(k) == high(k - 1)),
               "no loss": 1 <= low(k) * exp(-l(j)) or high(k) * exp(-l(j)) <= 1,
               "all losses": 1 <= high(n) * exp(-l(j)), "bounds": bounds,
               "chances": c(k, y) <= 1 and d(y) <= 1, "starts": at(below_c, {E: low(k)}),
               "ends": at(below_c, {E: high(k)}), "beyond": below_d and mean(d(y) * q(y), y) == 0},
        example=instance(E=1/2, a_inf=0, most=2, Losses=[0], l={0: 0}, a={0: 1/2}, S=law({0: 1}),
                         p={0: 1}, q={0: 1}, c={(0, 0): 1}, d={}, Pieces=[0], o=0, n=0, low={0: 0},
                         high={"else": 1}),
        statement=h <= H,
        steps=[
            step("inside", implies(low(k) <= E <= high(k), h <= H), theorem(
                "F72a", {"A": low(k), "B": high(k), "c": maps(y, c(k, y))}, "no loss", "bounds",
                "chances", "starts", "ends")),
            step("last", implies(high(n) <= E, h <= H), theorem(
                "F72c", {"A": high(n), "c": d}, "all losses", "bounds", "chances", "beyond")),
            step("all", 0 <= H - h, theorem(
                "F71c", {"g": H - h}, "pieces", "E", "from 0", "meet", "inside", "last")),
        ],
    ),
    breaks=[
        edit("drop no loss", "inside"), edit("drop starts", "inside"), edit("drop ends", "inside"),
        edit("drop beyond", "last"), edit("drop all losses", "last"), edit("drop meet", "all"),
        edit("drop from 0", "all"), edit("drop E", "all"), edit("drop pieces", "all"),
    ],
)
