"""F40: on a lattice any function is a sum of e^(-kappa |x - z|) with weights at the points z.

Symbols:
kappa: one over the scale of the one release
h: the step of the lattice
o, n: the first and the last point of a window
x, i, k, z: points of the window
f: any function, such as the chance of an output given x
"""
from pfverify.proof.language import *

(kappa, h), v, f = positive("kappa h"), variables("v"), functions("f")
(x, i, k, z), (o, n) = indices("x i k z", "X"), member("o n", "X")
t, near, before = exp(-kappa * h), exp(-kappa * abs(x - i)), indicator(x - i)
w = (1 + t**2) * f(i) - t * f(i + h) - t * f(i - h)
left = exp(-kappa * (x - v)) * (f(v) - t * f(v + h))
right = -exp(-kappa * (v + h - x)) * (f(v + h) - t * f(v))
ahead = exp(-kappa * (x - i))
up, down = difference(left, v, i, h), difference(right, v, i, h)
at_o, at_n = t * (f(o - h) - t * f(o)), t * (f(n + h) - t * f(n))
mixture = (1 - t**2) * f(x) == total(w * near, i) + at(at_o * near, {i: o}) + at(at_n * near, {
    i: n})

Claim(
    id="F40a", source=paper("design", "F40"), result=PROVED,
    words="With t = e^(-kappa h), (1 - t^2) f(x) is the sum over z = o, ..., n of ((1 + t^2) f(z) "
          "- t f(z + h) - t f(z - h)) e^(-kappa |x - z|), and t (f(o - h) - t f(o)) more of z = o, "
          "mirrored at n",
    printed=proved(
        given={"window": is_chain([z, k], [o, n], h)}, statement=mixture,
        example=instance(kappa=1, h=1, X=[0, 1], o=0, n=1, f={"else": 1}),
        steps=[
            step("sides", near == before * ahead + (1 - before) / ahead, arithmetic()),
            step("up", up == w * ahead, identity()),
            step("down", down == w / ahead, identity()),
            step("up to k", total(up * indicator(k - i), i) == at(left, {v: k}) - at(
                left, {v: o - h}), theorem("F10a", {"a": z, "f": maps(v, left)}, "window")),
            step("down to n", total(down, i) == at(right, {v: n}) - at(right, {v: o - h})
                 and total(down * indicator(k - i), i) == at(right, {v: k}) - at(
                     right, {v: o - h}), theorem("F10a", {"a": z, "f": maps(v, right)}, "window")),
            step("sum", total(w * near, i)
                 == total(up * before, i) + total(down, i) - total(down * before, i),
                 termwise(arithmetic("sides", "up", "down"), i)),
            step("ends", o <= x and x <= n, arithmetic(use("window", {k: x}))),
            step("all", mixture, arithmetic(
                "sum", use("up to k", {k: x}), use("down to n", {k: x}), "ends")),
        ],
    ),
    breaks=[
        edit("at_o = 0", "all", instance(kappa=1, h=1, X=[0, 1], o=0, n=1, f={"else": 1})),
        edit("drop window", "up to k"),
    ],
)
