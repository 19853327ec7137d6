"""F40: what all outputs show of X, on a lattice, from what each of them shows.

S is any law with a value j for each output; f, u and d are densities at j given the points of a
window, the next ones and those before, where they are bounded.

Symbols:
t: what noise decays by from one point to the next
o, n: the first and the last point
i: a point
j: an output
f, u, d: its density given a point, the next one and the one before
a: the excess of one release at a point, where it is positive
e: the excess at an output
most: a bound of these
"""
from pfverify.proof.language import *

t, most, j, i = positive("t"), constants("most"), draws("j", "S"), indices("i", "X")
(o, n), (f, u, d, a), e = member("o n", "X"), masses("f u d a"), functions("e")
weight = (1 + t**2) * f(j, i) - t * u(j, i) - t * d(j, i)
at_o, at_n = t * (d(j, o) - t * f(j, o)), t * (u(j, n) - t * f(j, n))
mixed = total(weight * a(i), i) + at_o * a(o) + at_n * a(n)
excess, of_one = mean(maximum(e(j), 0), j), (1 - t) * total(a(i), i) + t * (a(o) + a(n))

Claim(
    id="F40j", source=paper("design", "F40"), result=PROVED,
    words="If (1 - t^2) times the excess at each output is at most a sum with the weights of F40a "
          "of the excesses of one release, the excess of all outputs is at most (1 - t)/(1 + t) at "
          "each point, and t/(1 + t) more at o and n",
    printed=proved(
        given={"most": f(j, i) <= most and u(j, i) <= most and d(j, i) <= most,
               "laws": mean(f(j, i), j) == 1 and mean(u(j, i), j) == 1 and mean(d(j, i), j) == 1,
               "each": (1 - t**2) * maximum(e(j), 0) <= mixed, "e": abs(e(j)) <= most, "t": t < 1},
        example=instance(t=1/2, most=1, X=[0], o=0, n=0, S=law({0: 1}), f={"else": 1},
                         u={"else": 1}, d={"else": 1}, a={0: 1}, e={0: 1}),
        statement=excess <= of_one / (1 + t),
        steps=[
            step("js", (1 - t**2) * excess <= mean(mixed, j), termwise(arithmetic("each"), j)),
            step("weights", mean(weight, j) == (1 - t)**2, arithmetic("laws")),
            step("sum", total(mean(weight, j) * a(i), i) == (1 - t)**2 * total(a(i), i),
                 integrate("weights", i, weight=a(i))),
            step("ends", mean(at_o, j) == t * (1 - t) == mean(at_n, j), arithmetic(
                use("laws", {i: o}), use("laws", {i: n}))),
            step("all", excess <= of_one / (1 + t), arithmetic("js", "sum", "ends", "t")),
        ],
    ),
    breaks=[
        edit("drop laws", "weights"), edit("drop each", "js"), edit("drop most", "laws"),
        edit("drop t", "all"),
    ],
)
