"""F40: with delta too Laplace releases of one X on a lattice hide what one release hides."""
from pfverify.proof.language import *
from settings.many_releases import *

D = P(x) - E * Q(x)  # g is the sum of D f
above, sum_f = maximum(total(D * exp(-kappa * abs(x - i)), x), 0), total(D * f(j, x), x)
a_o, a_n, excess = at(above, {i: o}), at(above, {i: n}), mean(maximum(g(j), 0), j)
of_L, sum_L = (1 + t**2) * L_i - t * L_up - t * L_back, total(D * L(j, x), x)
at_o, at_n = t * (L_back - t * L_i), t * (L_up - t * L_i)
mixed_L = total(of_L * above, i) + at(at_o, {i: o}) * a_o + at(at_n, {i: n}) * a_n
inside = total(((1 + t**2) * f(j, i) - t * u(j, i) - t * d(j, i)) * above, i)
mixed = inside + t * (d(j, o) - t * f(j, o)) * a_o + t * (u(j, n) - t * f(j, n)) * a_n
of_one = ((1 - t) * total(above, i) + t * (a_o + a_n)) / (1 + t)

Claim(
    id="F40c", source=paper("design", "F40"), result=PROVED,
    words="The excess of outputs whose likelihoods bend as in F40b is at most that of one release "
          "on the lattice: (1 - t)/(1 + t) at a point, t/(1 + t) more for all beyond o and n",
    printed=proved(
        given={"window": is_chain([z, k], [o, n], h), "bends": bends, "f": L_i == f(j, i),
               "beside": beside, "at most": at_most, "laws": laws, "g": g(j) == sum_f},
        example=instance(kappa=1, h=1, E=2, most=1, X=[0], o=0, n=0, P={0: 1}, Q={0: 1}, g={0: -1},
                         S=law({0: 1}), f={"else": 1}, u={"else": 1}, d={"else": 1}, L={"else": 1}),
        statement=excess <= of_one,
        steps=[
            step("of L", (1 - t**2) * maximum(sum_L, 0) <= mixed_L, theorem(
                "F40b", {"f": maps(v, L(j, v))}, "window", "bends")),
            step("inside", total(of_L * above, i) == inside, termwise(
                arithmetic("f", "beside"), i, weight=above)),
            step("sum", sum_L == sum_f, integrate(use("f", {i: x}), x, weight=D)),
            step("each", (1 - t**2) * maximum(g(j), 0) <= mixed, arithmetic(
                "of L", "inside", "sum", "g", use("f", {i: o}), use("f", {i: n}),
                use("beside", {i: o}), use("beside", {i: n}))),
            step("all", excess <= of_one, theorem("F40j", {
                "t": t, "e": g, "a": maps(i, above)}, "at most", "laws", "each")),
        ],
    ),
    breaks=[
        edit("drop laws", "all"), edit("drop bends", "of L"), edit("drop at most", "laws"),
        edit("drop window", "of L"), edit("drop beside", "inside"), edit("drop f", "inside"),
    ],
)
