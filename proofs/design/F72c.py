"""F72: beyond all losses h is at most what an event has that the other law cannot have.

h is a_inf there, the mass at the infinite loss; where that is 0 the empty event serves.

Symbols:
c: the chance of the event at an output
"""
from pfverify.proof.language import *
from settings.losses import *

c, beyond, none, part_A = masses("c"), A <= E, 0 * total(a(j), j), at(part, {E: A})
of_P, of_Q = mean(c(y) * p(y), y), mean(c(y) * q(y), y)

Claim(
    id="F72c", source=paper("design", "F72"), result=PROVED,
    words="If all losses are at most log A, and h at A is at most P(B) for an event B with Q(B) = "
          "0, then h <= H at every E beyond A",
    printed=proved(
        given={"losses": 1 <= A * exp(-l(j)), "bounds": bounds, "chance": c(y) <= 1,
               "at A": h_A <= of_P, "never": of_Q == 0},
        example=instance(A=1, E=2, a_inf=1/4, most=2, Losses=[0], l={0: 0}, a={0: 3/4},
                         S=law({0: 1/2, 1: 1/2}), p={0: 1/2, 1: 3/2}, q={1: 2}, c={0: 1}),
        statement=implies(beyond, h <= H),
        steps=[
            step("event", of_P - E * of_Q <= H, termwise(arithmetic("chance"), y)),
            step("h", implies(beyond, part == none), termwise(arithmetic("losses"), j)),
            step("h at A", part_A == none, termwise(arithmetic("losses"), j)),
            step("all", implies(beyond, h <= H), arithmetic(
                "event", "h", "h at A", "at A", "never")),
        ],
    ),
    breaks=[
        edit("drop losses", "h"), edit("drop at A", "all"), edit("drop never", "all"),
        edit("chance = c(y) <= 2", "event"),
    ],
)
