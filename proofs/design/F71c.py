"""F71: what holds on each of finitely many pieces, and beyond the last one, holds everywhere.

Symbols:
E: a number
v: any number
k, i: pieces, numbered
o, n, m: the first piece, the last one and another one
low, high: the ends of a piece
g: what is to be >= 0 at E
"""
from pfverify.proof.language import *

(E, g), v, (k, i) = constants("E g"), variables("v"), indices("k i", "Pieces")
(o, n, m), (low, high) = member("o n m", "Pieces"), functions("low high")
up_to = implies(E <= high(v), 0 <= g)

Claim(
    id="F71c", source=paper("design", "F71"), result=PROVED,
    words="If each piece begins where the one before it ends, or before that, what holds of a "
          "number wherever it is in a piece, and beyond the last one, holds from the first one on",
    printed=proved(
        given={"pieces": is_chain([i, k], [o, n]), "from": low(o) <= E,
               "meet": implies(k != o, low(k) <= high(k - 1)),
               "inside": implies(low(k) <= E <= high(k), 0 <= g),
               "beyond": implies(high(n) <= E, 0 <= g)},
        example=instance(E=1/2, g=1, Pieces=[0, 1], o=0, n=1, low={0: 0, 1: 1},
                         high={0: 1, 1: 2, "else": 0}),
        statement=0 <= g,
        steps=[
            step("o", at(up_to, {v: o}), arithmetic("from", use("inside", {k: o}))),
            step("up to k", at(up_to, {v: k}), induction("pieces", "o", k, up_to, v, m, [
                step("next", at(up_to, {v: m}), arithmetic(
                    "before", "not first", use("inside", {k: m}), use("meet", {k: m})))])),
            step("all", 0 <= g, arithmetic("beyond", use("up to k", {k: n}))),
        ],
    ),
    breaks=[
        edit("drop from", "o"), edit("drop inside", "o"), edit("drop meet", "up to k"),
        edit("drop beyond", "all"), edit("drop pieces", "up to k"),
    ],
)
