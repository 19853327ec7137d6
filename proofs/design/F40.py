"""F40: Laplace releases of one X, also of scales that earlier outputs choose, are as one release.

The likelihoods are up to what does not depend on x, for a path of outputs y(j), on which 1/scale is
w(j). The atoms are rational, so on a lattice; P and Q are 0 at its other points. Any law: F40h.

Symbols:
kappa: one over the scale of the one release
h: the step of a lattice that has the atoms
E: e^epsilon
P, Q: masses of two priors
o, n: the first and the last point of a window
x, i, k, z: points of the window
j: a release
w: one over the scale of a release
y: the output of a release
v: a value of X
"""
from pfverify.proof.language import *

(kappa, h, E), v = positive("kappa h E"), variables("v")
(x, i, k, z), (o, n), (P, Q) = indices("x i k z", "X"), member("o n", "X"), masses("P Q")
j, w, y = indices("j", "Releases"), masses("w"), functions("y")
m, t, near = total(w(j) * abs(y(j) - v), j), exp(-kappa * h), exp(-kappa * abs(x - i))
f, of_one = exp(-m), total((P(x) - E * Q(x)) * near, x)
f_up, f_back = at(f, {v: v + h}), at(f, {v: v - h})
bends = t * f <= f_up <= f / t and t * f <= f_back <= f / t and f_up * f_back <= f**2
p, q = total(P(x) * at(f, {v: x}), x), total(Q(x) * at(f, {v: x}), x)
weight = at((1 + t**2) * f - t * f_up - t * f_back, {v: i})
above, at_o, at_n = maximum(of_one, 0), at(f_back - t * f, {v: o}), at(f_up - t * f, {v: n})
mixed = total(weight * above, i) + t * at_o * at(above, {i: o}) + t * at_n * at(above, {i: n})

Claim(
    id="F40", source=paper("design", "F40"), result=PROVED,
    words="If one release of scale 1/kappa has p <= E q, so has every path of outputs of releases "
          "whose 1/scale add up to at most kappa on it: at delta = 0 they hide what it hides",
    printed=proved(
        given={"window": is_chain([z, k], [o, n], h), "spent": total(w(j), j) <= kappa,
               "one release": of_one <= 0},
        example=instance(kappa=2, h=1, E=30, X=[0, 1], o=0, n=1, P={0: 1}, Q={1: 1},
                         Releases=[1, 2], w={"else": 1}, y={1: 0, 2: 3}),
        statement=p <= E * q,
        steps=[
            step("bends", bends, theorem("F40d", {}, "spent")),
            step("mixed", 0 <= weight and (1 - t**2) * maximum(p - E * q, 0) <= mixed, theorem(
                "F40b", {"f": maps(v, f)}, "window", use("bends", {v: i}))),
            step("none", above == 0, arithmetic("one release")),
            step("inside", total(weight * above, i) == 0, integrate("none", i, weight=weight)),
            step("t", t < 1, arithmetic()),
            step("all", p <= E * q, arithmetic(
                "mixed", "inside", use("none", {i: o}), use("none", {i: n}), "t")),
        ],
    ),
    breaks=[
        edit("drop spent", "bends"), edit("drop one release", "none"), edit("drop window", "mixed"),
    ],
)
