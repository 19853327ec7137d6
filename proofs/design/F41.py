"""F41: Gaussian releases of one X reveal what their weighted mean reveals: it is one release.

The likelihoods, up to a factor without x, are proportional at every value v of X: so are
their means over any law of X, of which that of finitely many atoms is shown. That the weighted mean
has the law of one release, and that the rest has a law without X, is F41b.

Symbols:
E: e^epsilon
P, Q: masses of two priors
x: an atom
v: a value of X
j: a release
w: one over the variance of a release
y: the output of a release
"""
from pfverify.proof.language import *

E, v, (P, Q) = positive("E"), variables("v"), masses("P Q")
x, j, w, y = indices("x", "X"), indices("j", "Releases"), masses("w"), functions("y")
W = total(w(j), j)
m, squares = total(w(j) * y(j), j) / W, total(w(j) * (y(j) - v)**2, j)
each, one, rest = exp(-squares / 2), exp(-W * (m - v)**2 / 2), exp(-at(squares, {v: m}) / 2)
p, q = total(P(x) * at(each, {v: x}), x), total(Q(x) * at(each, {v: x}), x)
p_1, q_1 = total(P(x) * at(one, {v: x}), x), total(Q(x) * at(one, {v: x}), x)

Claim(
    id="F41", source=paper("design", "F41"), result=PROVED,
    words="With Gaussian noise of variances 1/w p - E q of releases of one X is that of one "
          "release of variance 1/(sum of w), at the mean of the outputs with the weights w, times "
          "a factor > 0 that does not depend on X",
    printed=proved(
        given={"some": 0 < W},
        example=instance(E=2, X=[0, 1], P={0: 1}, Q={1: 1}, Releases=[1, 2], w={1: 1, 2: 3},
                         y={1: 0, 2: 2}),
        statement=each == rest * one and p - E * q == rest * (p_1 - E * q_1) and rest > 0,
        steps=[
            step("squares", squares == W * (m - v)**2 + at(squares, {v: m}), identity()),
            step("each", each == rest * one, arithmetic("squares")),
            step("p", p == rest * p_1, termwise(arithmetic(use("each", {v: x})), x)),
            step("q", q == rest * q_1, termwise(arithmetic(use("each", {v: x})), x)),
            step("all", each == rest * one and p - E * q == rest * (p_1 - E * q_1) and rest > 0,
                 arithmetic("each", "p", "q")),
        ],
    ),
    breaks=[edit("drop some", "squares"), edit("m = total(w(j) * y(j), j)", "squares")],
)
