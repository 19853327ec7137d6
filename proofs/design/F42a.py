"""F42: one coordinate of an output is exchanged for that of neighbouring grid points.

The coordinates up to t are those of the output y, the others those of a grid point.

Symbols:
x: an atom
D: P - E Q at it
i, b, d: coordinates, numbered
m, o, n: a coordinate, the first one and the last one
g, k: grid points
c: a coordinate of an atom
u: a coordinate of a grid point
y: a coordinate of the output
w: one over the scale of a coordinate
a: what a grid point counts
"""
from pfverify.proof.language import *

x, (i, b, d), (m, o, n) = indices("x", "X"), indices("i b d", "L"), member("m o n", "L")
(g, k), t = indices("g k", "Grid"), variables("t")
(D, c, u, y), (w, a) = functions("D c u y"), masses("w a")
done = indicator(t - i)
part = w(i) * (done * abs(y(i) - c(i, x)) + (1 - done) * abs(u(i, g) - c(i, x)))
M, Y, U = total(part, i), w(m) * abs(y(m) - c(m, x)), w(m) * abs(u(m, k) - c(m, x))
here, there = {t: m}, {t: m - 1, g: k}
M_m, M_k, gap = at(M, here), at(M, there), at(part, here) - at(part, there)
S = total(D(x) * exp(-M), x)
mixed = total(a(m, g, k) * at(S, there), k)

Claim(
    id="F42a", source=paper("design", "F42"), result=PROVED,
    words="If the sum of (P - E Q) e^(-distances) is <= 0 where the first m - 1 coordinates are "
          "those of y, the others those of a grid point, it is where the first m are those of y",
    printed=proved(
        given={"coordinates": is_chain([b, d], [o, n]), "before": at(S <= 0, {t: m - 1}),
               "only m": i == m or a(m, g, k) == 0 or u(i, k) == u(i, g),
               "between": exp(-Y) == total(a(m, g, k) * exp(-U), k)},
        example=instance(X=[0], L=[1], Grid=[0], m=1, o=1, n=1, D={0: 0}, w={1: 1}, c={(1, 0): 0},
                         u={(1, 0): 0}, y={1: 0}, a={(1, 0, 0): 1}),
        statement=at(S <= 0, here), steps=[
            step("others", implies(i != m, a(m, g, k) * gap == 0), arithmetic(
                use("coordinates", {b: i, d: m}), "only m")),
            step("M", a(m, g, k) * (M_m - M_k) == a(m, g, k) * (Y - U), single("others", i)),
            step("each", a(m, g, k) * exp(-U) * exp(Y - M_m) == a(m, g, k) * exp(-M_k), arithmetic(
                "M")),
            step("sum", total(a(m, g, k) * exp(-U), k) * exp(Y - M_m)
                 == total(a(m, g, k) * exp(-M_k), k), integrate("each", k)),
            step("y", exp(-M_m) == total(a(m, g, k) * exp(-M_k), k), arithmetic("sum", "between")),
            step("in D", at(S, here) == mixed, integrate("y", x, weight=D(x))),
            step("less", mixed <= 0, termwise(arithmetic(use("before", {g: k})), k)),
            step("all", at(S <= 0, here), arithmetic("in D", "less")),
        ],
    ),
    breaks=[
        edit("drop only m", "others"), edit("drop between", "y"), edit("drop before", "less"),
    ],
)
