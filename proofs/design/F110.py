"""F110: where Q is a point and the order is whole, R is a sum over the points that P may take.

Outputs that are independent given X have the density k(i, y) given its value i, and g(y) is what
the point of Q has to the power 1-a. The power a of p = sum of P(i) k(i, y) is a sum over (i_1, ..,
i_a) of P(i_1) k(i_1, y) .. P(i_a) k(i_a, y): here a = 2 (open: the same for a larger one). What is
left for each choice of values is R of outputs that are independent, a product (F97). Of two points
there is one choice, for every a.

Symbols:
i, j: values of X
P: their masses
y: an output
k: its density given a value
g: that given the value of Q, to the power 1-a
h: p^a q^(1-a) there
c: what is integrated for two values
most: a bound of these
"""
from pfverify.proof.language import *

i, j, y = indices("i", "X"), indices("j", "X"), draws("y", "S")
most, P, (k, g, h, c) = constants("most"), masses("P"), masses("k g h c")
p, again = total(P(i) * k(i, y), i), total(P(j) * k(j, y), j)
both = total(P(i) * total(P(j) * c(i, j, y), j), i)
chosen = total(P(i) * total(P(j) * mean(c(i, j, y), y), j), i)

Claim(
    id="F110", source=paper("design", "F110"), result=PROVED,
    words="Of a law against a point, and of the order 2, R is the sum over pairs of values of both "
          "masses times the integral of both densities, over that of the point",
    printed=proved(
        given={"bounds": c(i, j, y) <= most and h(y) <= most,
               "c": c(i, j, y) == k(i, y) * k(j, y) * g(y), "h": h(y) == p * again * g(y)},
        example=instance(most=4, X=[0, 1], S=law({0: 1/2, 1: 1/2}), P={0: 1/2, 1: 1/2},
                         k={(0, 0): 1, (0, 1): 1, (1, 0): 1, (1, 1): 1}, g={0: 1, 1: 1},
                         h={0: 1, 1: 1}, c={"else": 1}),
        statement=mean(h(y), y) == chosen,
        steps=[
            step("inner", total(P(j) * c(i, j, y), j) == k(i, y) * g(y) * again,
                 termwise(arithmetic("c"), j)),
            step("outer", both == p * again * g(y), termwise(arithmetic("inner"), i)),
            step("at y", h(y) == both, arithmetic("outer", "h")),
            step("all", mean(h(y), y) == chosen, integrate("at y", y)),
        ],
    ),
    breaks=[edit("drop c", "inner"), edit("drop h", "at y")],
)
