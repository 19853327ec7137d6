"""F48: on a lattice a function changes its sign at most once more than its differences.

At i a change is one of "f > 0 or not" from i - h to i: where an event {f > 0} begins or ends.

Symbols:
h: the step of the lattice
v, t: any numbers
i, a, k: points of the window
o, n: its first and its last point
m: a point of it
f: any function
"""
from pfverify.proof.language import *

h, (v, t), (i, a, k) = positive("h"), variables("v t"), indices("i a k", "X")
(o, n, m), f = member("o n m", "X"), functions("f")
s, d = 1 - indicator(-f(v)), 1 - indicator(f(v - h) - f(v))  # 1 where f > 0, where f rises
s_i, d_i = abs(difference(s, v, i, h)), abs(difference(d, v, i, h))
more, last = s_i - d_i, indicator(t - i) - indicator(t - h - i)
up_to = total(more * indicator(t - i), i) <= 1 - abs(at(s, {v: t}) - at(d, {v: t}))
few = total(s_i, i) <= total(d_i, i) + 1

Claim(
    id="F48e", source=paper("design", "F48"), result=PROVED,
    words="In a window o, o + h, ..., n of a lattice f(i) changes between > 0 and <= 0 at most "
          "once more than f(i) - f(i - h) does",
    printed=proved(
        given={"window": is_chain([a, k], [o, n], h)},
        example=instance(h=1, X=[0, 1, 2], o=0, n=2, f={-1: 0, 0: 1, 1: -1, 2: 2, "else": 0}),
        statement=few,
        steps=[
            step("only o", implies(i != o, indicator(o - i) == 0),
                 arithmetic(use("window", {k: i}))),
            step("at o", total(more * indicator(o - i), i) == at(more * indicator(o - i), {i: o}),
                 single("only o", i, weight=more)),
            step("first", at(up_to, {t: o}), arithmetic("at o")),
            step("up to k", at(up_to, {t: k}), induction("window", "first", k, up_to, t, m, [
                step("only m", implies(i != m, at(last, {t: m}) == 0),
                     arithmetic(use("window", {a: i, k: m}))),
                step("at m", total(more * at(last, {t: m}), i) == at(more * last, {t: m, i: m}),
                     single("only m", i, weight=more)),
                step("next", at(up_to, {t: m}), arithmetic("before", "at m", "window")),
            ])),
            step("up to n", indicator(n - i) == 1, arithmetic(use("window", {k: i}))),
            step("everything", total(more * indicator(n - i), i) == total(more, i),
                 integrate("up to n", i, weight=more)),
            step("all", few, arithmetic("everything", use("up to k", {k: n}))),
        ],
    ),
    breaks=[edit("drop window", "only o")],
)
