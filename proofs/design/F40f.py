"""F40: what one release shows on a fine lattice is little more than what it shows on the line.

Beyond the cells of width h p - E q is that at o, or n, times e^(-kappa |y - o|) (see F45d).

Symbols:
kappa: one over the scale of the release
h: the step of the lattice
E: e^epsilon
P, Q: masses of two priors
o, n: the first and the last point of a window that has the atoms
x, i: points of the window
y: an output
"""
from pfverify.proof.language import *

(kappa, h, E), y, (P, Q) = positive("kappa h E"), variables("y"), masses("P Q")
(x, i), (o, n) = indices("x i", "X"), member("o n", "X")
k, t, r = exp(-kappa * abs(y - x)), exp(-kappa * h), exp(-kappa * h / 2)
p, q, low, high = total(P(x) * k, x), total(Q(x) * k, x), i - h / 2, i + h / 2
g, G = maximum(p - E * q, 0), at(maximum(p - E / t * q, 0), {y: i})
G_o, G_n, cell = at(G, {i: o}), at(G, {i: n}), integral(g * kappa / 2, y, low, high)
line = total(cell, i) + (at(g, {y: o}) + at(g, {y: n})) * r / 2
lattice = (1 - t) / (1 + t) * total(G, i) + t / (1 + t) * (G_o + G_n)
in_cell, flat, small = low <= y and y <= high, G * r * kappa / 2, integral(
    G * r * kappa / 2, y, low, high)

Claim(
    id="F40f", source=paper("design", "F40"), result=PROVED,
    words="The excess at E e^(kappa h) of one release on a lattice of step h (F40c) is at most "
          "e^(kappa h/2) times the excess at E of one release with Laplace noise on the line",
    printed=proved(
        statement=lattice * r <= line, steps=[
            step("p near", implies(in_cell, r * at(p, {y: i}) <= p), termwise(arithmetic(), x)),
            step("q near", implies(in_cell, r * q <= at(q, {y: i})), termwise(arithmetic(), x)),
            step("near", implies(in_cell, flat <= g * kappa / 2), arithmetic("p near", "q near")),
            step("width", small == G * r * kappa * h / 2, antiderivative(flat * y)),
            step("in it", small <= cell, integrate("near", y, between=(low, high))),
            step("cell", G * r * kappa * h / 2 <= cell, arithmetic("width", "in it")),
            step("cells", total(G * r * kappa * h / 2, i) <= total(cell, i), integrate("cell", i)),
            step("some", 0 <= total(G, i), termwise(arithmetic(), i)),
            step("tanh", 0 <= kappa * h / 2 * (1 / r + r) - (1 / r - r), theorem(
                "F52", {"x": kappa * h / 2})),
            step("share", (1 - t) / (1 + t) <= kappa * h / 2, arithmetic("tanh")),
            step("ends", t / (1 + t) <= r / 2 and r <= 1, arithmetic()),
            step("q", 0 <= q, termwise(arithmetic(), x)),
            step("at o", G_o <= at(g, {y: o}) and G_n <= at(g, {y: n}), arithmetic(
                use("q", {y: o}), use("q", {y: n}), hints=[t])),
            step("all", lattice * r <= line, arithmetic("cells", "some", "share", "ends", "at o")),
        ],
    ),
    breaks=[edit("r = exp(-kappa * h / 4)", "p near")],
)
