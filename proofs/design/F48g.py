"""F48: discrete Gaussian noise: with n atoms the event p > E q has at most n - 1 ends.

The atoms are a(j), j = b, b + 1, ..., d, and w is the variance.  The ends are those in any window
o, o + h, ..., n of the lattice; c is what F48f makes of the first coefficients.

Symbols:
h: the step of the lattice
w: the variance
E: e^epsilon
Z: the normalising sum
v: an output
i, x, z: points of the window
o, n: its first and its last point
j, r, y, k: atoms, numbered
b, d: the first and the last of them
a: the place of an atom
c: a coefficient, after some steps
P, Q: masses of two priors
"""
from pfverify.proof.language import *

(h, w, E, Z), v = positive("h w E Z"), variables("v")
(i, x, z), (o, n) = indices("i x z", "X"), member("o n", "X")
(j, r, y, k), (b, d) = indices("j r y k", "K"), member("b d", "K")
(a, c), (P, Q) = functions("a c"), masses("P Q")
noise = exp(-(v - a(j))**2 / (2 * w)) / Z
excess = total(P(j) * noise, j) - E * total(Q(j) * noise, j)
f = total(c(b, j) * exp(a(j) * v / w), j)
f_changes = total(abs(difference(1 - indicator(-f), v, i, h)), i)
changes = total(abs(difference(1 - indicator(-excess), v, i, h)), i)

Claim(
    id="F48g", source=paper("design", "F48"), result=PROVED,
    words="With discrete Gaussian noise p - E q changes between > 0 and <= 0 at most as often as "
          "there are atoms of P and Q, less one, in every window of the lattice",
    printed=proved(
        given={"window": is_chain([x, z], [o, n], h), "atoms": is_chain([y, k], [b, d]),
               "first": c(b, j) == (P(j) - E * Q(j)) * exp(-a(j)**2 / (2 * w)),
               "c": implies(r != b, c(r, j) == c(r - 1, j) * (1 - exp((a(r) - a(j)) * h / w))),
               "own": implies(r != b and j == r, c(r, j) == 0)},
        example=instance(h=1, w=1, E=1, Z=1, X=[0, 1, 2], o=0, n=2, K=[0], b=0, d=0, a={0: 0},
                         P={0: 2}, Q={0: 1}, c={(0, 0): 1, "else": 0}),
        statement=changes <= d - b,
        steps=[
            step("sum", f_changes <= d - b, theorem("F48f", {}, "window", "atoms", "c", "own")),
            step("tilt", Z * excess == exp(-v**2 / (2 * w)) * f, termwise(
                arithmetic("first"), j)),
            step("sign", indicator(-excess) == indicator(-f), arithmetic("tilt")),
            step("same", changes == f_changes, termwise(
                arithmetic(use("sign", {v: i}), use("sign", {v: i - h})), i)),
            step("all", changes <= d - b, arithmetic("sum", "same")),
        ],
    ),
    breaks=[edit("drop first", "tilt"), edit("drop c", "sum"), edit("drop window", "sum")],
)
