"""F40: the densities of Laplace releases of one X, joined to what they show, on the line.

g + (E/t - E) b is the sum of (P - E Q) f; `line` is the excess of one release, in cells of width h
and beyond them (F45d).

Symbols:
b: the sum of Q f
y: an output of the one release
"""
from pfverify.proof.language import *
from settings.likelihoods import *

y, b, s, more = variables("y"), masses("b"), exp(-kappa * h / 2), E / t - E
near = exp(-kappa * abs(y - x))
one = maximum(total(P(x) * near, x) - E * total(Q(x) * near, x), 0)
many, ends = mean(maximum(g(j) + more * b(j), 0), j), at(one, {y: o}) + at(one, {y: n})
line = total(integral(one * kappa / 2, y, i - h / 2, i + h / 2), i) + ends * s / 2

Claim(
    id="F40l", source=paper("design", "F40"), result=PROVED,
    words="With a delta, the excess of Laplace releases whose 1/scale add up to at most kappa on "
          "every path of outputs is at most e^(kappa h/2) times that of one release of scale "
          "1/kappa, and E (e^(kappa h) - 1) more, for every lattice of a step h with the atoms",
    open="the limit: h as small as one likes, so that the excess is at most that of one release",
    printed=proved(
        given={"window": is_chain([z, k], [o, n], h), "spent": spent,
               "density": density, "f": L_i == f(j, i), "beside": beside,
               "at most": at_most, "laws": laws, "Q": total(Q(x), x) == 1,
               "g": g(j) == total((P(x) - E / t * Q(x)) * f(j, x), x),
               "b": b(j) == total(Q(x) * f(j, x), x), "b at most": b(j) <= most},
        example=instance(kappa="log(2)", h=1, E=2, most=3, X=[0], o=0, n=0, P={0: 1}, Q={0: 1},
                         S=law({0: 1}), f={"else": 1}, u={"else": 1}, d={"else": 1}, L={"else": 1},
                         g={0: -3}, b={0: 1}, Releases=[1], w={}, a={"else": 0}, c={"else": 1}),
        statement=many <= line / s + more,
        steps=[
            step("bent", bent, theorem("F40d", as_F40d, "spent")),
            step("bends", bends, arithmetic(
                use("bent", {v: i}), use("density", {v: i}), use("density", {v: i + h}),
                use("density", {v: i - h}))),
            step("all", many <= line / s + more, theorem(
                "F40g", {}, "window", "bends", "f", "beside", "at most", "laws", "Q", "g", "b",
                "b at most")),
        ],
    ),
    breaks=[
        edit("drop spent", "bent"), edit("drop density", "bends"), edit("drop laws", "all"),
    ],
)
