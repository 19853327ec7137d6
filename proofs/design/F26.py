"""F26: what a sum over a table has on its diagonal, in one column and in all of them."""
from pfverify.proof.language import *

x, z, k = indices("x z k", "X")
f = functions("f")
near, same = indicator(-abs(x - z)), indicator(-abs(k - x))  # 1 if x = z (if k = x), else 0
column = total(f(x, z) * near, x) == f(z, z)
columns = total(f(x, z) * near, x, z) == total(f(x, x), x)
equal = near * f(x, x) == near * f(z, z)

Claim(
    id="F26", source=paper("design", "F26"), result=PROVED,
    words="Of a column z only f(z, z) is on the diagonal, of the whole table the sum of these; and "
          "what f says of equal letters is equal",
    printed=proved(
        statement=column and columns and equal,
        steps=[
            step("not z", implies(x != z, near == 0), arithmetic()),
            step("at z", total(f(x, z) * near, x) == f(z, z) * indicator(0),
                 single("not z", x, weight=f(x, z))),
            step("column", column, arithmetic("at z")),
            step("columns", columns, integrate("column", z)),
            step("one letter", total(f(k, k) * same * at(near, {x: k}), k)
                 == f(z, z) * near * indicator(0),
                 single(use("not z", {x: k}), k, weight=f(k, k) * same)),
            step("not x", implies(k != x, same == 0), arithmetic()),
            step("the same", total(f(k, k) * same * at(near, {x: k}), k)
                 == f(x, x) * near * indicator(0),
                 single("not x", k, weight=f(k, k) * at(near, {x: k}))),
            step("equal", equal, arithmetic("one letter", "the same")),
        ],
    ),
    breaks=[
        edit("near = indicator(1 - abs(x - z))", "not z",
             instance(X=[0, 1], f={(0, 0): 1, (0, 1): 1, "else": 0})),
        edit("equal = f(x, x) == f(z, z)", "equal", instance(X=[0, 1], f={(1, 1): 1, "else": 0})),
    ],
)
