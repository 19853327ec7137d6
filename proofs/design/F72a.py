"""F72: where h is below the line of one event at both ends of a piece, it is below H on the piece.

An event B, with the chance c(y) at an output, has the line E -> P(B) - E Q(B). No loss is strictly
between the ends of the piece: e^l is at most A, or at least B.

Symbols:
c: the chance of the event at an output
"""
from pfverify.proof.language import *
from settings.losses import *

c = masses("c")
of_P, of_Q = mean(c(y) * p(y), y), mean(c(y) * q(y), y)
line, line_A, line_B, at_A = of_P - E * of_Q, of_P - A * of_Q, of_P - B * of_Q, E == A

Claim(
    id="F72a", source=paper("design", "F72"), result=PROVED,
    words="If no loss is strictly between log A and log B, and h is at most P(B) - E Q(B) of one "
          "event at E = A and at E = B, then h <= H at every E between them",
    printed=proved(
        given={"no loss": 1 <= A * exp(-l(j)) or B * exp(-l(j)) <= 1, "bounds": bounds,
               "chance": c(y) <= 1, "at A": h_A <= line_A, "at B": h_B <= line_B},
        example=instance(A=0, B=1, E=1/2, a_inf=0, most=1, Losses=[1], l={1: 0}, a={1: 1/2},
                         S=law({0: 1}), p={0: 1}, q={0: 1}, c={0: 1}),
        statement=implies(inside, h <= H),
        steps=[
            step("affine", implies(inside, (B - A) * h == (B - E) * h_A + (E - A) * h_B), termwise(
                arithmetic("no loss"), j)),
            step("ends", implies(inside, (B - A) * h <= (B - A) * line), arithmetic(
                "affine", "at A", "at B")),
            step("h there", implies(at_A, h <= h_A), termwise(arithmetic(), j)),
            step("below", implies(inside, h <= line), arithmetic("ends", "h there", "at A")),
            step("event", line <= H, termwise(arithmetic("chance"), y)),
            step("all", implies(inside, h <= H), arithmetic("below", "event")),
        ],
    ),
    breaks=[
        edit("drop no loss", "affine"), edit("drop at A", "ends"), edit("drop at B", "ends"),
        edit("chance = c(y) <= 2", "event"),
    ],
)
