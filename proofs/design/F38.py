"""F38: how discrete Laplace noise is drawn: a sign, and a size u + n v from two parts.

Of u = o = 0, 1, ..., m = n - 1, all alike, each is kept with chance t^u, t = e^-r; v counts how
often a coin of chance t^n comes up; a negative 0 is drawn again.
"""
from pfverify.proof.language import *

r, y, v = positive("r"), variables("y"), constants("v")
(i, u, a, k), (o, m) = indices("i u a k", "X"), member("o m", "X")
t, n, kept, f = exp(-r), m + 1, total(exp(-r * i), i), -exp(-r * (y + 1))
rise = at(f, {y: i}) - at(f, {y: i - 1})
part_u, part_v = exp(-r * u) / kept, (1 - exp(-r * n)) * exp(-r * n * v)
size, again = (1 - t) * exp(-r * y), (1 - t) / 2
chance = (1 - t) / (1 + t) * exp(-r * y)

Claim(
    id="F38", source=paper("design", "F38"), result=PROVED,
    words="The size u + n v has the chance (1 - t) t^(u + n v), whatever n is; with a random sign, "
          "and a negative 0 drawn again, k has the chance (1 - t)/(1 + t) t^|k|",
    printed=proved(
        given={"letters": is_chain([a, k], [o, m], 1), "from 0": o == 0},
        example=instance(r=1, v=2, X=[0, 1, 2], o=0, m=2),
        statement=part_u * part_v == at(size, {y: u + n * v})
        and size / 2 / (1 - again) == chance,
        steps=[
            step("t < 1", t < 1, arithmetic()),
            step("rises", total(rise, i) == at(f, {y: m}) - at(f, {y: o - 1}),
                 theorem("F10a", {"h": 1, "n": m, "f": maps(y, f)}, "letters")),
            step("terms", (1 - t) * kept == total(rise, i), termwise(identity(), i)),
            step("kept", (1 - t) * kept == 1 - exp(-r * n), arithmetic("rises", "terms", "from 0")),
            step("positive", 0 < exp(-r * i), arithmetic()),
            step("some kept", exp(-r * o) <= kept, one_term("positive", {i: o})),
            step("share", (1 - exp(-r * n)) / kept == 1 - t,
                 arithmetic("kept", "some kept", use("positive", {i: o}))),
            step("apart", part_u * part_v
                 == (1 - exp(-r * n)) / kept * exp(-r * (u + n * v)), identity()),
            step("size", part_u * part_v == at(size, {y: u + n * v}), arithmetic("share", "apart")),
            step("sign", size / 2 / (1 - again) == chance, arithmetic("t < 1")),
        ],
    ),
    breaks=[
        edit("chance = (1 - t) * exp(-r * y)", "sign", instance(r=1, v=2, X=[0], o=0, m=0), {y: 1}),
        edit("drop from 0", "kept", instance(r=1, v=2, X=[1], o=1, m=1)),
        edit("drop letters", "rises", instance(r=1, v=2, X=[0, 2], o=0, m=2)),
    ],
)
