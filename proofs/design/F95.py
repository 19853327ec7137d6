"""F95: R of two mixtures is at most the average, over a coupling, of that of what is coupled.

At each output y the components that are coupled have, with the masses of the coupling, q and
p = q e^v, and F90 joins them: that is R of the mixtures at y. With Laplace noise R of two points is
a convex function of their distance (F93: a sum of e^(c d) with coefficients >= 0), for which the
monotone plan of two priors on a line is best, and it rises, so that the largest distance of a plan
bounds it too. Averages of distances, or of D, are no such bounds.

Symbols:
a: the order
i: a pair that is coupled
pi: its mass
y: an output
l: the density of its second point there
v: the log ratio of both densities
w: that of the mixtures
q: the density of the second mixture
k, h: p^a q^(1-a) of a pair, and of the mixtures (bounded, with respect to S)
most: a bound of them
"""
from pfverify.proof.language import *

(a, most), i, y = constants("a most"), indices("i", "K"), draws("y", "S")
(pi, l, q, k, h), (v, w) = masses("pi l q k h"), functions("v w")
average = total(pi(i) * mean(k(i, y), y), i)

Claim(
    id="F95", source=paper("design", "F95"), result=PROVED,
    words="R of two mixtures is at most the sum over a coupling of its mass times R of what is "
          "coupled",
    printed=proved(
        given={"order": a > 1, "bounds": k(i, y) <= most and h(y) <= most,
               "k": k(i, y) == l(i, y) * exp(a * v(i, y)), "h": h(y) == q(y) * exp(a * w(y)),
               "q": q(y) == total(pi(i) * l(i, y), i),
               "p": total(pi(i) * l(i, y) * exp(v(i, y)), i) == exp(w(y)) * q(y)},
        example=instance(a=2, most=4, K=[0, 1], S=law({0: 1/2, 1: 1/2}), pi={0: 1/2, 1: 1/2},
                         l={(0, 0): 1, (0, 1): 1, (1, 0): 1, (1, 1): 1}, q={0: 1, 1: 1},
                         k={(0, 0): 1, (0, 1): 1, (1, 0): 1, (1, 1): 1}, h={0: 1, 1: 1},
                         v={"else": 0}, w={"else": 0}),
        statement=mean(h(y), y) <= average,
        steps=[
            step("together", total(pi(i) * l(i, y) * exp(v(i, y)), i)
                 == exp(w(y)) * total(pi(i) * l(i, y), i), arithmetic("p", "q")),
            step("at y", exp(a * w(y)) * total(pi(i) * l(i, y), i)
                 <= total(pi(i) * l(i, y) * exp(a * v(i, y)), i), theorem(
                     "F90", {"i": i, "X": "K", "w": w(y), "q": maps(i, pi(i) * l(i, y)),
                             "v": maps(i, v(i, y))}, "order", "together")),
            step("sum", total(pi(i) * k(i, y), i) == total(pi(i) * l(i, y) * exp(a * v(i, y)), i),
                 termwise(arithmetic("k"), i)),
            step("mixed", h(y) <= total(pi(i) * k(i, y), i), arithmetic("at y", "sum", "h", "q")),
            step("all", mean(h(y), y) <= average, integrate("mixed", y)),
        ],
    ),
    breaks=[edit("drop p", "together"), edit("drop q", "together"), edit("drop order", "at y"),
            edit("drop k", "sum"), edit("drop h", "mixed")],
)
