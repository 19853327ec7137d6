"""F10: differences along the chain o, o + h, ..., n from a letter x on."""
from pfverify.proof.language import *

h, u = positive("h"), variables("u")
(i, x, a, k), (o, n) = indices("i x a k", "X"), member("o n", "X")
f = functions("f")
after = indicator(i - h - x)  # i is one of the letters after x
here = indicator(i - x) - after
rest = total(after * (f(i) - f(i - h)), i)

Claim(
    id="F10e", source=paper("design", "F10"), result=PROVED,
    words="Over the letters i after x the differences f(i) - f(i - h) add up to f(n) - f(x)",
    printed=proved(
        given={"letters": is_chain([a, k], [o, n], h)},
        example=instance(h=1, X=[0, 1, 2], o=0, n=2, f={0: 1, 1: 4, 2: 9, "else": 0}),
        statement=rest == f(n) - f(x),
        steps=[
            step("whole", total(indicator(i - x) * f(i) - after * f(i - h), i)
                 == indicator(n - x) * f(n) - indicator(o - h - x) * f(o - h),
                 theorem("F10a", {"f": maps(u, indicator(u - x) * f(u))}, "letters")),
            step("ends", indicator(n - x) == 1 and indicator(o - h - x) == 0,
                 arithmetic(use("letters", {k: x}))),
            step("only x", implies(i != x, here == 0),
                 arithmetic(use("letters", {a: i, k: x}))),
            step("at x", total(here * f(i), i) == at(here, {i: x}) * f(x),
                 single("only x", i, weight=f(i))),
            step("all", rest == f(n) - f(x), arithmetic("whole", "ends", "at x", "letters")),
        ],
    ),
    breaks=[edit("drop letters", "whole")],
)
