"""F40: Laplace releases of one X on the line, with delta: they hide what one release hides.

g + (E/t - E) b is the sum of (P - E Q) f, `line` at most the excess of one release (F40f).

Symbols:
b: the sum of Q f
y: an output of the one release
"""
from pfverify.proof.language import *
from settings.many_releases import *

y, b, r = variables("y"), masses("b"), exp(-kappa * h / 2)
near = exp(-kappa * abs(y - x))
p, q, more = total(P(x) * near, x), total(Q(x) * near, x), E / t - E
one, G = maximum(p - E * q, 0), at(maximum(p - E / t * q, 0), {y: i})
ends, many = at(one, {y: o}) + at(one, {y: n}), mean(maximum(g(j) + more * b(j), 0), j)
line = total(integral(one * kappa / 2, y, i - h / 2, i + h / 2), i) + ends * r / 2
lattice = ((1 - t) * total(G, i) + t * (at(G, {i: o}) + at(G, {i: n}))) / (1 + t)

Claim(
    id="F40g", source=paper("design", "F40"), result=PROVED,
    words="The excess of releases whose likelihoods bend as in F40b is at most e^(kappa h/2) times "
          "that of one release on the line, and E (e^(kappa h) - 1) more, for every h",
    printed=proved(
        given={"window": is_chain([z, k], [o, n], h), "bends": bends, "f": L_i == f(j, i),
               "beside": beside, "at most": at_most, "laws": laws, "Q": total(Q(x), x) == 1,
               "g": g(j) == total((P(x) - E / t * Q(x)) * f(j, x), x),
               "b": b(j) == total(Q(x) * f(j, x), x), "b at most": b(j) <= most},
        example=instance(kappa="log(2)", h=1, E=2, most=3, X=[0], o=0, n=0, P={0: 1}, Q={0: 1},
                         S=law({0: 1}), f={"else": 1}, u={"else": 1}, d={"else": 1}, L={"else": 1},
                         g={0: -3}, b={0: 1}),
        statement=many <= line / r + more,
        steps=[
            step("net", mean(maximum(g(j), 0), j) <= lattice, theorem(
                "F40c", {"E": E / t}, "window", "f", "beside", "at most", "bends", "laws", "g")),
            step("fine", lattice * r <= line, theorem("F40f", {})),
            step("Qs", total(Q(x) * mean(f(j, x), j), x) == total(Q(x), x), termwise(
                arithmetic(use("laws", {i: x})), x)),
            step("bs", mean(b(j), j) == total(Q(x) * mean(f(j, x), j), x), integrate("b", j)),
            step("j", many <= mean(maximum(g(j), 0) + more * b(j), j), termwise(arithmetic(), j)),
            step("all", many <= line / r + more, arithmetic("net", "fine", "Q", "Qs", "bs", "j")),
        ],
    ),
    breaks=[edit("drop Q", "all"), edit("drop laws", "net"), edit("drop b", "bs")],
)
