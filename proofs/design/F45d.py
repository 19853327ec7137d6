"""F45: to the right of all atoms cells have one ratio, so that to merge them changes nothing.

s(i) is the integral over the cell i of fade, or a sum of it, in units of S(i).  S is any law, so
that the cells may be infinitely many: S their shares of what all have, and s the same for each.

Symbols:
theta: the scale
E: e^epsilon
c: the last atom, or a point after it
most: a bound of s
y: an output
j, i: cells
x: an atom
P, Q: masses of two priors
s: the size of a cell, as above
"""
from pfverify.proof.language import *

(theta, E), (c, most) = positive("theta E"), constants("c most")
(y, j), x, i, (P, Q, s) = variables("y j"), indices("x", "X"), draws("i", "S"), masses("P Q s")
k = exp(-abs(y - x) / theta)
p, q = total(P(x) * k, x), total(Q(x) * k, x)
p_c, q_c, fade = at(p, {y: c}), at(q, {y: c}), exp((c - y) / theta)
p_i, q_i = p_c * s(i), q_c * s(i)
excess, of_all = mean(maximum(p_i - E * q_i, 0), i), mean(p_i - E * q_i, i)
at_c = maximum(p_c - E * q_c, 0)
same_ratio = implies(c <= y, p == fade * p_c and q == fade * q_c)
each = implies(of_all <= 0, p_c * s(j) <= E * (q_c * s(j)))
merged = excess == maximum(of_all, 0) and each

Claim(
    id="F45d", source=paper("design", "F45"), result=PROVED,
    words="Beyond the last atom both densities are multiples of e^(-y/theta), and the excess p - E "
          "q of any cells there, also infinitely many, is that of the cells taken as one; p <= E q "
          "holds for each of them if for all together (and mirrored)",
    printed=proved(
        given={"last atom": x <= c, "cells": s(i) <= most, "mass": 0 < mean(s(i), i)},
        example=instance(theta=1, E=2, c=1, most=1, X=[0, 1], P={0: 1}, Q={1: 1},
                         S=law({0: 1/2, 1: 1/2}), s={0: 1/2, 1: 1/2}),
        statement=same_ratio and merged,
        steps=[
            step("k", implies(c <= y, k == fade * at(k, {y: c})), arithmetic("last atom")),
            step("p", implies(c <= y, p == fade * p_c), integrate("k", x, weight=P(x))),
            step("q", implies(c <= y, q == fade * q_c), integrate("k", x, weight=Q(x))),
            step("whole", of_all == (p_c - E * q_c) * mean(s(i), i), identity()),
            step("s", 0 <= s(j), arithmetic()),
            step("size", 0 <= mean(s(i), i), integrate(use("s", {j: i}), i)),
            step("one", maximum(p_i - E * q_i, 0) == at_c * s(i), arithmetic()),
            step("excess", excess == at_c * mean(s(i), i), integrate("one", i)),
            step("merged", excess == maximum(of_all, 0), arithmetic("excess", "whole", "size")),
            step("each", each, arithmetic("whole", "mass", "s")),
            step("all", same_ratio and merged, arithmetic("p", "q", "merged", "each")),
        ],
    ),
    meaning=[total(P(x), x) == 1, total(Q(x), x) == 1],
    breaks=[
        edit("drop last atom", "k", instance(
            theta=1, E=2, c=0, most=1, X=[1], S=law({0: 1}), P={1: 1}, Q={1: 1}, s={0: 1}),
             {y: 1}),
        edit("q_i = q_c", "whole"),
        edit("drop mass", "each", instance(
            theta=1, E=1, c=1, most=1, X=[0, 1], S=law({0: 1}), P={1: 1}, Q={0: 1}, s={1: 1}),
             {j: 1}),
    ],
)
