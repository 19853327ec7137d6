"""(11), (12): together they give both orders; so do the rows alone (and the columns: see N09)."""
from pfverify.proof.language import *
from settings.releases import *

Claim(
    id="N11", source=paper("noise-reduction", "(11), (12)"), result=PROVED,
    words="If every column sum and every row sum is at most 0, both orders hold",
    meaning=meant,
    printed=proved(
        given={"(11)": f <= 0, "(12)": row <= 0},
        example=instance(theta=1, E=4, X=[0, 1], pi={(0, 0): 1/2, (1, 1): 1/4, (0, 1): 1/4}),
        statement=private,
        steps=[
            step("scaled", 2 * theta * p <= E * 2 * theta * q
                 and 2 * theta * q <= E * 2 * theta * p, theorem("N09", {}, "(11)")),
            step("both", private, arithmetic("scaled")),
        ],
    ),
    tighter=proved(
        words="The row sums alone are enough for both orders (here 1/log 27 is too small for (11))",
        given={"(12)": row <= 0},
        example=instance(theta=1 / log(27), E=2, X=[0, 1],
                         pi=table_1), statement=private,
        steps=[
            step("rows", total(pi(x, z) * grow, z) <= E * P, arithmetic("(12)")),
            step("scaled", 2 * theta * p <= E * 2 * theta * q
                 and 2 * theta * q <= E * 2 * theta * p, theorem("F9", {"E": E}, "rows")),
            step("both", private, arithmetic("scaled")),
        ],
    ),
    breaks=[
        edit("drop (12)", "rows", instance(theta=1, E=2, X=[0, 1], pi={(0, 1): 1}), {y: 0}),
    ],
)
