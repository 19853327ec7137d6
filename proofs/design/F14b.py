"""F14: a sum of terms that are 0 except at two letters is these two terms."""
from pfverify.proof.language import *

x, (a, b) = indices("x", "X"), member("a b", "X")
f = functions("f")
here = indicator(x - a) * indicator(a - x)  # 1 at a, 0 elsewhere

Claim(
    id="F14b", source=paper("design", "F14"), result=PROVED,
    words="If f(x) = 0 for every letter x but a and b, two different ones, the sum of f over all "
          "letters is f(a) + f(b)",
    printed=proved(
        given={"two": a != b, "elsewhere": implies(x != a and x != b, f(x) == 0)},
        example=instance(X=[0, 1, 2], a=0, b=2, f={0: 3, 1: 0, 2: -1}),
        statement=total(f(x), x) == f(a) + f(b),
        steps=[
            step("not at a", implies(x != a, here == 0), arithmetic()),
            step("a", total(f(x) * here, x) == f(a) * at(here, {x: a}),
                 single("not at a", x, weight=f(x))),
            step("not at b", implies(x != b, f(x) - f(x) * here == 0), arithmetic("elsewhere")),
            step("b", total(f(x) - f(x) * here, x) == f(b) - f(b) * at(here, {x: b}),
                 single("not at b", x)),
            step("sum", total(f(x), x) == f(a) + f(b), arithmetic("a", "b", "two")),
        ],
    ),
    breaks=[
        edit("drop two", "sum", instance(X=[0], a=0, b=0, f={0: 1})),
        edit("drop elsewhere", "not at b", instance(X=[0, 1, 2], a=0, b=1, f={"else": 1})),
    ],
)
