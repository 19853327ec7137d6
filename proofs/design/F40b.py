"""F40: a function of x that bends as the likelihood of Laplace releases does shows less than one.

The atoms of P and Q are points of a lattice; at other points of the window they are 0.

Symbols:
kappa: one over the scale of the one release
h: the step of the lattice
E: e^epsilon
P, Q: masses of two priors
o, n: the first and the last point of a window
x, i, k, z: points of the window
f: how likely an output is given x
"""
from pfverify.proof.language import *

(kappa, h, E), f = positive("kappa h E"), functions("f")
(x, i, k, z), (o, n), (P, Q) = indices("x i k z", "X"), member("o n", "X"), masses("P Q")
t, near, D = exp(-kappa * h), exp(-kappa * abs(x - i)), P(x) - E * Q(x)
weight = (1 + t**2) * f(i) - t * f(i + h) - t * f(i - h)
at_o, at_n = t * (f(o - h) - t * f(o)), t * (f(n + h) - t * f(n))
excess, of_one = total(D * f(x), x), total(D * near, x)
above, of_o, of_n = maximum(of_one, 0), at(of_one, {i: o}), at(of_one, {i: n})
mixed = total(weight * above, i) + at_o * maximum(of_o, 0) + at_n * maximum(of_n, 0)
slopes = t * f(i) <= f(i + h) <= f(i) / t and t * f(i) <= f(i - h) <= f(i) / t

Claim(
    id="F40b", source=paper("design", "F40"), result=PROVED,
    words="If f(z + h) f(z - h) <= f(z)^2 and f changes from z to z +- h by a factor between t = "
          "e^(-kappa h) and 1/t, the sum of (P - E Q) f is at most a sum of the positive parts of "
          "p - E q of one release of scale 1/kappa, with the weights >= 0 of F40a",
    printed=proved(
        given={"window": is_chain([z, k], [o, n], h), "slopes": slopes,
               "bends": f(i + h) * f(i - h) <= f(i)**2},
        example=instance(kappa=2, h=1, E=30, X=[0, 1], o=0, n=1, P={0: 1}, Q={1: 1}, f={"else": 1}),
        statement=0 <= weight and (1 - t**2) * maximum(excess, 0) <= mixed,
        steps=[
            step("product", f(i) * weight == (f(i) - t * f(i + h)) * (f(i) - t * f(i - h))
                 + t**2 * (f(i)**2 - f(i + h) * f(i - h)), identity()),
            step("weight", 0 <= weight, arithmetic("product", "slopes", "bends")),
            step("mixture", (1 - t**2) * f(x) == total(weight * near, i) + at_o * at(
                near, {i: o}) + at_n * at(near, {i: n}), theorem("F40a", {}, "window")),
            step("sum", (1 - t**2) * excess == total(weight * of_one, i) + at_o * of_o
                 + at_n * of_n, integrate("mixture", x, weight=D)),
            step("inside", total(weight * of_one, i) <= total(weight * above, i), termwise(
                arithmetic("weight"), i)),
            step("some", 0 <= total(weight * above, i), termwise(arithmetic("weight"), i)),
            step("mixed", (1 - t**2) * maximum(excess, 0) <= mixed, arithmetic(
                "sum", "inside", "some", use("slopes", {i: o}), use("slopes", {i: n}))),
        ],
    ),
    breaks=[
        edit("drop slopes", "weight"), edit("drop bends", "weight"), edit("drop window", "mixture"),
    ],
)
