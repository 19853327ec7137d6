"""Table 1, the same input: for the distributions that Phi lifts to, the factor |Phi| is not needed.

Each channel is private for the related inputs, whose point distributions the lifting has (D13).
"""
from pfverify.proof.language import *
from settings.two_channels import *

near_A, near_C = related(x, z) == 0 or A_xz <= delta, related(x, z) == 0 or C_xz <= eta

Claim(
    id="D08b", source=paper("distribution-privacy", "Table 1"), result=PROVED,
    words="If A_b is (epsilon_b, delta_b)-DistP for the lifting of Phi, both outputs on one input "
          "are (epsilon_0 + epsilon_1, (delta_0 + delta_1) |Phi|)-DistP for it",
    printed=proved(
        given={"A_0": near_A, "A_1": near_C, "Phi": relation, "inside": inside, "first": first,
               "second": second, "laws": laws, "A": channels, "deltas": delta + eta >= 0},
        example=swap, statement=excess_both <= (delta + eta) * size,
        steps=[
            step("D08", excess_both <= delta + eta, theorem(
                "D08", {}, "A_0", "A_1", "inside", "first", "second", "laws", "A",
                part="corrected")),
            step("some pair", 1 <= size, theorem(
                "D05", {}, "Phi", "inside", "first", "laws", part="tighter")),
            step("|Phi|", excess_both <= (delta + eta) * size,
                 arithmetic("D08", "some pair", "deltas")),
        ],
    ),
    tighter=proved(
        words="They are (epsilon_0 + epsilon_1, delta_0 + delta_1)-DistP, however large Phi is",
        given={"A_0": near_A, "A_1": near_C, "inside": inside, "first": first, "second": second,
               "laws": laws, "A": channels},
        example=swap, statement=excess_both <= delta + eta,
        steps=[step("D08", excess_both <= delta + eta, theorem(
            "D08", {}, "A_0", "A_1", "inside", "first", "second", "laws", "A", part="corrected"))],
    ),
    breaks=[
        edit("drop A_0", "D08", shown), edit("drop deltas", "|Phi|"), edit("drop inside", "D08"),
    ],
    meaning=[E >= 1, F >= 1, channels, laws],
)
