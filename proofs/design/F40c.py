"""F40: with delta too Laplace releases of one X on a lattice hide what one release hides.

S is any law with a value j for each output, f(j, x) the density at j given x (such as F40d has).

Symbols:
kappa: one over the scale of the one release
h: the step of the lattice
E: e^epsilon
P, Q: masses of two priors
o, n: the first and the last point of a window that has the atoms
x, i, k, z: points of the window
j: an output
f: its density given x
most: a bound of the density, and of g
g: the sum of (P - E Q) f
v: any number
"""
from pfverify.proof.language import *

(kappa, h, E), most, v = positive("kappa h E"), constants("most"), variables("v")
(x, i, k, z), (o, n), j = indices("x i k z", "X"), member("o n", "X"), draws("j", "S")
(P, Q, f), g = masses("P Q f"), functions("g")
excess, t = mean(maximum(g(j), 0), j), exp(-kappa * h)
f_i, up, back = f(j, i), f(j, i + h), f(j, i - h)
weight = (1 + t**2) * f_i - t * up - t * back
above = maximum(total((P(x) - E * Q(x)) * exp(-kappa * abs(x - i)), x), 0)
of_o, of_n, sum_f = at(above, {i: o}), at(above, {i: n}), total((P(x) - E * Q(x)) * f(j, x), x)
at_o, at_n = at(t * (back - t * f_i), {i: o}), at(t * (up - t * f_i), {i: n})
mixed = total(weight * above, i) + at_o * of_o + at_n * of_n
of_one = ((1 - t) * total(above, i) + t * (of_o + of_n)) / (1 + t)

Claim(
    id="F40c", source=paper("design", "F40"), result=PROVED,
    words="The excess of all outputs, if their likelihoods bend as in F40b, is at most that of one "
          "release on the lattice: (1 - t)/(1 + t) at a point, t/(1 + t) more for all beyond o, n",
    printed=proved(
        given={"window": is_chain([z, k], [o, n], h), "most": f(j, v) <= most,
               "slopes": t * f_i <= up <= f_i / t and t * f_i <= back <= f_i / t,
               "laws": mean(f_i, j) == 1 and mean(up, j) == 1 and mean(back, j) == 1,
               "bends": up * back <= f_i**2, "g": g(j) == sum_f and abs(g(j)) <= most},
        example=instance(kappa=1, h=1, E=2, most=1, X=[0], o=0, n=0, P={0: 1}, Q={0: 1},
                         S=law({0: 1}), f={"else": 1}, g={0: -1}),
        statement=excess <= of_one, steps=[
            step("each", 0 <= weight and (1 - t**2) * maximum(sum_f, 0) <= mixed, theorem(
                "F40b", {"f": maps(v, f(j, v))}, "window", "slopes", "bends")),
            step("js", (1 - t**2) * excess <= mean(mixed, j), termwise(arithmetic("each", "g"), j)),
            step("weights", mean(weight, j) == (1 - t)**2, arithmetic("laws")),
            step("sum", total(mean(weight, j) * above, i) == (1 - t)**2 * total(above, i),
                 integrate("weights", i, weight=above)),
            step("ends", mean(at_o, j) == t * (1 - t) == mean(at_n, j) and t < 1, arithmetic(
                use("laws", {i: o}), use("laws", {i: n}))),
            step("all", excess <= of_one, arithmetic("js", "sum", "ends")),
        ],
    ),
    breaks=[
        edit("drop laws", "weights"), edit("drop bends", "each"), edit("drop slopes", "each"),
        edit("drop most", "laws"), edit("drop window", "each"),
    ],
)
