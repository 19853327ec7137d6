"""F70: H_E is the largest P(B) - E Q(B), convex in E, and falls with a slope of at least -1.

p and q are densities with respect to any law S (masses too), c(y) the chance that the output y is
in an event B; the event in which p >= E q has the largest.

Symbols:
E: e^epsilon, or any other factor
A, B: a smaller and a larger factor
y: an output
p, q: its densities under the two secrets
c: the chance of the event at an output
most: a bound of the densities (2, with respect to (P + Q)/2)
"""
from pfverify.proof.language import *

(E, A, B, most), y, (p, q, c) = constants("E A B most"), draws("y", "S"), masses("p q c")
H = mean(maximum(p(y) - E * q(y), 0), y)
H_0, H_A, H_B = at(H, {E: 0}), at(H, {E: A}), at(H, {E: B})
of_event, best = mean(c(y) * p(y), y) - E * mean(c(y) * q(y), y), indicator(p(y) - E * q(y))
reached = mean(best * p(y), y) - E * mean(best * q(y), y) == H
convex = (B - A) * H <= (B - E) * H_A + (E - A) * H_B
falls = H <= H_A and H_A - (E - A) <= H
bounds = p(y) <= most and q(y) <= most and c(y) <= 1

Claim(
    id="F70b", source=paper("design", "F70"), result=PROVED,
    words="The mean of the positive part of p - E q is the largest P(B) - E Q(B) of an event B; it "
          "is 1 at E = 0, convex in E, and falls, with a slope of at least -1",
    printed=proved(
        given={"order": 0 <= A <= E <= B, "bounds": bounds,
               "laws": mean(p(y), y) == 1 == mean(q(y), y)},
        example=instance(A=0, E=1, B=2, most=2, S=law({0: 1/2, 1: 1/2}), p={0: 2}, q={"else": 1},
                         c={0: 1}),
        statement=of_event <= H and reached and H_0 == 1 and convex and falls,
        steps=[
            step("event", of_event <= H, termwise(arithmetic("bounds"), y)),
            step("reached", reached, termwise(arithmetic(), y)),
            step("at 0", H_0 == mean(p(y), y), termwise(arithmetic(), y)),
            step("convex", convex, termwise(arithmetic("order"), y)),
            step("less", H <= H_A, termwise(arithmetic("order"), y)),
            step("slope", H_A - (E - A) * mean(q(y), y) <= H, termwise(arithmetic("order"), y)),
            step("all", of_event <= H and reached and H_0 == 1 and convex and falls, arithmetic(
                "event", "reached", "at 0", "convex", "less", "slope", "laws")),
        ],
    ),
    breaks=[
        edit("drop order", "convex"), edit("drop laws", "all"),
        edit("best = indicator(q(y) - p(y))", "reached"),
    ],
)
