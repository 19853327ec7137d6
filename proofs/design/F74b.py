"""F74: two points have one coupling, which is the pair of them.

Symbols:
a, b: the points
P, Q: masses of the two priors, all at these
x, z, w: values of X
pi: a coupling of the priors
g: what a pair counts
"""
from pfverify.proof.language import *

(x, z, w), (a, b), (P, Q, pi) = indices("x z w", "X"), member("a b", "X"), masses("P Q pi")
g = functions("g")
whole, row_a = total(pi(x, z) * g(x, z), x, z), total(pi(a, z) * g(a, z), z)

Claim(
    id="F74b", source=paper("design", "F74"), result=PROVED,
    words="If P is a point a and Q a point b, the sum of g over a coupling is g(a, b)",
    printed=proved(
        given={"P": implies(x != a, P(x) == 0), "at a": P(a) == 1,
               "Q": implies(z != b, Q(z) == 0),
               "rows": total(pi(x, z), z) == P(x), "columns": total(pi(x, z), x) == Q(z)},
        example=instance(X=[0, 1], a=0, b=1, P={0: 1}, Q={1: 1}, pi={(0, 1): 1}, g={"else": 2}),
        statement=whole == g(a, b),
        steps=[
            step("mass", 0 <= pi(x, z), arithmetic()),
            step("in row", pi(x, w) <= total(pi(x, z), z), one_term("mass", {z: w})),
            step("in column", pi(w, z) <= total(pi(x, z), x), one_term("mass", {x: w})),
            step("none", implies(x != a, pi(x, z) == 0), arithmetic(
                use("in row", {w: z}), "mass", "rows", "P")),
            step("row", implies(x != a, total(pi(x, z) * g(x, z), z) == total(0 * g(x, z), z)),
                 termwise(arithmetic("none"), z)),
            step("no row", implies(x != a, total(pi(x, z) * g(x, z), z) == 0), arithmetic("row")),
            step("row of a", whole == row_a, single("no row", x)),
            step("only b", implies(z != b, pi(a, z) == 0), arithmetic(
                use("in column", {w: a}), use("mass", {x: a}), "columns", "Q")),
            step("pair", row_a == pi(a, b) * g(a, b), single("only b", z, weight=g(a, z))),
            step("mass of it", total(pi(a, z), z) == pi(a, b), single("only b", z)),
            step("one", pi(a, b) == 1, arithmetic("mass of it", use("rows", {x: a}), "at a")),
            step("all", whole == g(a, b), arithmetic("row of a", "pair", "one")),
        ],
    ),
    breaks=[
        edit("drop P", "none"), edit("drop rows", "none"), edit("drop columns", "only b"),
        edit("drop Q", "only b"), edit("drop at a", "one"),
    ],
)
