"""F48: a sum of n exponentials changes its sign at most n - 1 times on a lattice (Descartes).

The exponents a(j)/w belong to the atoms j = b, b + 1, ..., d.  c(b, j) are the coefficients; those
of c(r, j) are of the differences after r - b steps, each of which makes one of them 0.

Symbols:
h: the step of the lattice
w: what the exponents are divided by
v, t: any numbers
i, x, z: points of the window
o, n: its first and its last point
j, r, y, k: atoms, numbered
b, d: the first and the last of them
m: one of them
a: the place of an atom
c: a coefficient, after some steps
"""
from pfverify.proof.language import *

(h, w), (v, t) = positive("h w"), variables("v t")
(i, x, z), (o, n) = indices("i x z", "X"), member("o n", "X")  # the window
(j, r, y, k), (b, d, m) = indices("j r y k", "K"), member("b d m", "K")
a, c = functions("a c")
f, zero = total(c(t, j) * exp(a(j) * v / w), j), implies(j != b and j <= t, c(t, j) == 0)
f_b, f_m, before = at(f, {t: b}), at(f, {t: m}), at(f, {t: m - 1})
turned = total(c(m - 1, j) * exp((a(j) - a(m)) * v / w), j)
risen = turned - at(turned, {v: v - h})
changes = total(abs(difference(1 - indicator(-f), v, i, h)), i)
first, few = at(changes, {t: b}), at(changes, {t: b}) <= changes + t - b
s_turned = total(abs(difference(1 - indicator(-turned), v, i, h)), i)
s_risen = total(abs(difference(1 - indicator(-risen), v, i, h)), i)
near, back = {v: i}, {v: i - h}

Claim(
    id="F48f", source=paper("design", "F48"), result=PROVED,
    words="In a window of a lattice the sum of c(j) e^(a(j) y/w) over n atoms changes between > 0 "
          "and <= 0 at most n - 1 times",
    printed=proved(
        given={"window": is_chain([x, z], [o, n], h), "atoms": is_chain([y, k], [b, d]),
               "c": implies(r != b, c(r, j) == c(r - 1, j) * (1 - exp((a(r) - a(j)) * h / w))),
               "own": implies(r != b and j == r, c(r, j) == 0)},  # a case of "c"
        example=instance(h=1, w=1, X=[0, 1, 2], o=0, n=2, K=[0], b=0, d=0, a={0: 1},
                         c={(0, 0): 1, "else": 0}),
        statement=first <= d - b,
        steps=[
            step("zero at b", at(zero, {t: b}), arithmetic(use("atoms", {k: j}))),
            step("zero", at(zero, {t: r}), induction("atoms", "zero at b", r, zero, t, m, [
                step("next", at(zero, {t: m}), arithmetic(
                    "before", "not first", use("c", {r: m}), use("own", {r: m}),
                    use("atoms", {y: j, k: m}))),
            ])),
            step("few at b", at(few, {t: b}), arithmetic()),
            step("few", at(few, {t: r}), induction("atoms", "few at b", r, few, t, m, [
                step("turned", turned == exp(-a(m) * v / w) * before, termwise(identity(), j)),
                step("sign", indicator(-turned) == indicator(-before), arithmetic("turned")),
                step("risen", risen == exp(-a(m) * v / w) * f_m, termwise(
                    arithmetic("not first", use("c", {r: m})), j)),
                step("rises", indicator(-risen) == indicator(-f_m), arithmetic("risen")),
                step("Rolle", s_turned <= s_risen + 1, theorem("F48e", {
                    "a": x, "k": z, "f": maps(v, turned)}, "window")),
                step("old", s_turned == at(changes, {t: m - 1}), termwise(
                    arithmetic(use("sign", near), use("sign", back)), i)),
                step("new", s_risen == at(changes, {t: m}), termwise(
                    arithmetic(use("rises", near), use("rises", back)), i)),
                step("next", at(few, {t: m}), arithmetic("before", "Rolle", "old", "new")),
            ])),
            step("one", implies(j != b, c(d, j) == 0),
                 arithmetic(use("zero", {r: d}), use("atoms", {k: j}))),
            step("left", at(f, {t: d}) == c(d, b) * exp(a(b) * v / w),
                 single("one", j, weight=exp(a(j) * v / w))),
            step("no change", at(changes, {t: d}) == 0, termwise(
                arithmetic(use("left", near), use("left", back)), i)),
            step("all", first <= d - b, arithmetic("no change", use("few", {r: d}))),
        ],
    ),
    breaks=[edit("drop c", "zero"), edit("drop atoms", "zero at b")],
)
