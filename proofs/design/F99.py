"""F99: H is convex in E and falls, and is at least 1 - E: numbers at places bound it between.

H(E) = sup over events B of P(B) - E Q(B) is the mean of the positive part of p - E q, with p and q
densities with respect to a law S, as (P + Q)/2. So a chord of it, or of larger numbers, is above
it, and a line through a larger number and a smaller one is below it where it goes on beyond the
smaller one.

Symbols:
E: any place
A, B, C: three places E, in order
y: an output
p, q: densities under the two secrets
most: a bound of both densities (2, with respect to (P + Q)/2)
u, v: numbers that are at least H at A, and at C
l: a number that is at most H at B
"""
from pfverify.proof.language import *

A, B, C, most, u, v, l = constants("A B C most u v l")
E = variables("E")
y, (p, q) = draws("y", "S"), masses("p q")

H = mean(maximum(p(y) - E * q(y), 0), y)
at_A, at_B, at_C = at(H, {E: A}), at(H, {E: B}), at(H, {E: C})
convex = (C - A) * at_B <= (C - B) * at_A + (B - A) * at_C
falls = at_B <= at_A
least = 1 - A <= at_A
chord = (C - A) * at_B <= (C - B) * u + (B - A) * v
right = (C - A) * l - (C - B) * u <= (B - A) * at_C
left = (C - A) * l - (B - A) * v <= (C - B) * at_A

Claim(
    id="F99", source=paper("design", "F99"), result=PROVED,
    words="H is convex in E, falls and is at least 1 - E; a chord of upper bounds is above it, and "
          "a line through an upper and a lower bound is below it beyond the lower one",
    printed=proved(
        given={"order": 0 <= A and A < B and B < C, "bounds": p(y) <= most and q(y) <= most,
               "P": mean(p(y), y) == 1, "Q": mean(q(y), y) == 1,
               "u": at_A <= u, "v": at_C <= v, "l": l <= at_B},
        example=instance(A=0, B=1, C=2, most=2, S=law({0: 1/2, 1: 1/2}), p={0: 2}, q={0: 1, 1: 1},
                         u=1, v=1/2, l=1/2),
        statement=convex and falls and least and chord and right and left,
        steps=[
            step("convex", convex, termwise(arithmetic("order"), y)),
            step("falls", falls, termwise(arithmetic("order"), y)),
            step("less", mean(p(y) - A * q(y), y) <= at_A, termwise(arithmetic(), y)),
            step("least", least, arithmetic("less", "P", "Q")),
            step("chord", chord, arithmetic("convex", "order", "u", "v")),
            step("right", right, arithmetic("convex", "order", "u", "l")),
            step("left", left, arithmetic("convex", "order", "v", "l")),
            step("all", convex and falls and least and chord and right and left, arithmetic(
                "convex", "falls", "least", "chord", "right", "left")),
        ],
    ),
    breaks=[
        edit("drop order", "convex"), edit("drop P", "least"), edit("drop u", "chord"),
        edit("drop l", "right"), edit("drop v", "chord"),
    ],
)
