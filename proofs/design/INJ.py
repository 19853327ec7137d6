"""INJ: with Laplace noise p <= q everywhere shows that the two priors are the same.

Symbols:
kappa: one over the scale
h: the step of a lattice that has the atoms
P, Q: masses of two priors
o, n: the first and the last point of a window that has the atoms
x, i, k, z: points of the window
y: an output
v: any number
"""
from pfverify.proof.language import *

(kappa, h), (v, y) = positive("kappa h"), variables("v y")
(x, i, k, z), (o, n), (P, Q) = indices("x i k z", "X"), member("o n", "X"), masses("P Q")
t, D = exp(-kappa * h), P(x) - Q(x)
near, g = exp(-kappa * abs(x - i)), total(D * exp(-kappa * abs(x - y)), x)
g_i, up, back = at(g, {y: i}), at(g, {y: i + h}), at(g, {y: i - h})
ends = at(g, {y: o}) + at(g, {y: n})
bend = (1 + t**2) * near - t * exp(-kappa * abs(x - i - h)) - t * exp(-kappa * abs(x - i + h))
one = 1 - t**2 == (1 - t)**2 * total(near, i) + t * (1 - t) * (
    at(near, {i: o}) + at(near, {i: n}))

Claim(
    id="INJ", source=paper("design", "INJ"), result=PROVED,
    words="If two priors of one total have releases with p <= q at every output, the priors are "
          "the same: with epsilon = delta = 0 no scale hides a difference",
    printed=proved(
        given={"window": is_chain([z, k], [o, n], h), "order": g <= 0, "total": total(D, x) == 0},
        example=instance(kappa=1, h=1, X=[0, 1], o=0, n=1, P={0: 1}, Q={0: 1}),
        statement=P(i) == Q(i),
        steps=[
            step("t", t < 1, arithmetic()),
            step("one", one, theorem("F40a", {"f": maps(v, 1)}, "window")),
            step("sum", total(D, x) * (1 - t**2) == (1 - t)**2 * total(g_i, i) + t * (1 - t) * ends,
                 integrate("one", x, weight=D)),
            step("none", total(-g_i, i) <= 0, arithmetic(
                "sum", "total", "t", use("order", {y: o}), use("order", {y: n}))),
            step("below", 0 <= -g_i, arithmetic(use("order", {y: i}))),
            step("each", at(-g_i, {i: k}) <= total(-g_i, i), one_term("below", {i: k})),
            step("apart", implies(x != i, bend == 0), arithmetic(use("window", {z: x, k: i}))),
            step("at i", total(bend * D, x) == at(bend * D, {x: i}), single("apart", x, weight=D)),
            step("more", 0 <= P(i) - Q(i), arithmetic(
                "at i", "none", use("each", {k: i}), "t", use("order", {y: i + h}),
                use("order", {y: i - h}))),
            step("no more", P(k) - Q(k) <= total(P(i) - Q(i), i), one_term("more", {i: k})),
            step("all", P(i) == Q(i), arithmetic("more", use("no more", {k: i}), "total")),
        ],
    ),
    breaks=[edit("drop total", "none"), edit("drop order", "none"), edit("drop window", "one")],
)
