"""F10: differences along the chain o, o + h, ..., n add up to the difference of the ends."""
from pfverify.proof.language import *

h, t = positive("h"), variables("t")
(i, a, k), (o, n, m) = indices("i a k", "X"), member("o n m", "X")
f = functions("f")
rise, more = f(i) - f(i - h), indicator(m - i) - indicator(m - h - i)
up_to = total(rise * indicator(t - i), i) == f(t) - f(o - h)

Claim(
    id="F10a", source=paper("design", "F10"), result=PROVED,
    words="On the letters o, o + h, ..., n the differences f(i) - f(i - h) add up to f(n) - f(o - "
          "h), and those up to k to f(k) - f(o - h), by induction over the letters",
    printed=proved(
        given={"letters": is_chain([a, k], [o, n], h)},
        example=instance(h=1, X=[0, 1, 2], o=0, n=2, f={0: 1, 1: 4, 2: 9, "else": 0}),
        statement=total(rise, i) == f(n) - f(o - h) and at(up_to, {t: k}),
        steps=[
            step("only o", implies(i != o, indicator(o - i) == 0),
                 arithmetic(use("letters", {k: i}))),
            step("first", at(up_to, {t: o}), single("only o", i, weight=rise)),
            step("up to k", at(up_to, {t: k}), induction("letters", "first", k, up_to, t, m, [
                step("only m", implies(i != m, more == 0),
                     arithmetic(use("letters", {a: i, k: m}))),
                step("at m", total(rise * more, i) == at(rise * more, {i: m}),
                     single("only m", i, weight=rise)),
                step("next", at(up_to, {t: m}), arithmetic("before", "at m", "letters")),
            ])),
            step("up to n", indicator(n - i) == 1, arithmetic(use("letters", {k: i}))),
            step("everything", total(rise * indicator(n - i), i) == total(rise, i),
                 integrate("up to n", i, weight=rise)),
            step("all", total(rise, i) == f(n) - f(o - h),
                 arithmetic("everything", use("up to k", {k: n}))),
        ],
    ),
    breaks=[
        edit("drop letters", "only o",
             instance(h=1, X=[0, 2], o=0, n=2, f={0: 0, 1: 5, "else": 0})),
        edit("up_to = total(rise * indicator(t - i), i) == f(t) - f(o)", "first"),
        edit("up_to = total(rise * indicator(t - i), i) == (t - o + h) * (f(o) - f(o - h)) / h",
             "up to k"),
    ],
)
