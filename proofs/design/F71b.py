"""F71: beyond all losses h is a constant, the mass at the infinite loss, and H falls."""
from pfverify.proof.language import *
from settings.losses import *

none, beyond, part_A = 0 * total(a(j), j), A <= E, at(part, {E: A})

Claim(
    id="F71b", source=paper("design", "F71"), result=PROVED,
    words="If all losses are at most log A, and h >= H at A, then h >= H at every E beyond A, "
          "where h is the mass at the infinite loss",
    printed=proved(
        given={"losses": 1 <= A * exp(-l(j)), "bounds": bounds, "at A": H_A <= h_A},
        example=instance(A=1, E=2, a_inf=1/4, most=2, Losses=[0], l={0: 0}, a={0: 3/4},
                         S=law({0: 1}), p={0: 3/4}, q={0: 3/4}),
        statement=implies(beyond, H <= h) and implies(beyond, h == a_inf),
        steps=[
            step("H", implies(beyond, H <= H_A), termwise(arithmetic(), y)),
            step("h", implies(beyond, part == none), termwise(arithmetic("losses"), j)),
            step("h at A", part_A == none, termwise(arithmetic("losses"), j)),
            step("same", implies(beyond, h == a_inf), arithmetic("h")),
            step("all", implies(beyond, H <= h), arithmetic("H", "h", "h at A", "at A")),
        ],
    ),
    breaks=[edit("drop losses", "h"), edit("drop at A", "all")],
)
