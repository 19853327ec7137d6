"""F71: on a piece between two factors h is affine and H is convex: what holds at both ends holds.

No loss is strictly between the ends: e^l is at most A, or at least B.
"""
from pfverify.proof.language import *
from settings.losses import *

at_A = E == A

Claim(
    id="F71a", source=paper("design", "F71"), result=PROVED,
    words="If no loss is strictly between log A and log B, and h >= H at A and at B, then h >= H "
          "at every E between them",
    printed=proved(
        given={"no loss": 1 <= A * exp(-l(j)) or B * exp(-l(j)) <= 1, "bounds": bounds,
               "at A": H_A <= h_A, "at B": H_B <= h_B},
        example=instance(A=0, B=1, E=1/2, a_inf=1/4, most=2, Losses=[0], l={0: 0}, a={0: 3/4},
                         S=law({0: 1}), p={0: 1}, q={0: 1}),
        statement=implies(inside, H <= h),
        steps=[
            step("convex", implies(inside, (B - A) * H <= (B - E) * H_A + (E - A) * H_B), termwise(
                arithmetic(), y)),
            step("affine", implies(inside, (B - A) * h == (B - E) * h_A + (E - A) * h_B), termwise(
                arithmetic("no loss"), j)),
            step("ends", implies(inside, (B - A) * H <= (B - A) * h), arithmetic(
                "convex", "affine", "at A", "at B")),
            step("H there", implies(at_A, H <= H_A), termwise(arithmetic(), y)),
            step("h there", implies(at_A, h_A <= h), termwise(arithmetic(), j)),
            step("all", implies(inside, H <= h), arithmetic("ends", "H there", "h there", "at A")),
        ],
    ),
    breaks=[
        edit("drop no loss", "affine"), edit("drop at A", "ends"), edit("drop at B", "ends"),
    ],
)
