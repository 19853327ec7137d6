"""(11), (12): together they give both orders; so do the rows alone (and the columns: see N09)."""
from pfverify.proof.language import *

(theta, E), y, (x, z), pi = positive("theta E"), variables("y"), indices("x z", "X"), masses("pi")
P, Q = total(pi(x, z), z), total(pi(x, z), x)
far, near = exp(-abs(y - x) / theta) / (2 * theta), exp(-abs(y - z) / theta) / (2 * theta)
p, q = total(P * far, x), total(Q * near, z)
grow, shrink = exp(abs(x - z) / theta), exp(-abs(x - z) / theta)
I, both = (grow - E) * pi(x, z), p <= E * q and q <= E * p
rows = total(far * total(I, z), x)

Claim(
    id="N11", source=paper("noise-reduction", "(11), (12)"), result=PROVED,
    words="If every column sum and every row sum is at most 0, both orders hold",
    printed=proved(
        given={"(11)": total(I, x) <= 0, "(12)": total(I, z) <= 0},
        example=instance(theta=1, E=4, X=[0, 1], pi={(0, 0): 1/2, (1, 1): 1/4, (0, 1): 1/4}),
        statement=both,
        steps=[
            step("scaled", 2 * theta * p <= E * 2 * theta * q
                 and 2 * theta * q <= E * 2 * theta * p, theorem("N09", {}, "(11)")),
            step("both", both, arithmetic("scaled")),
        ],
    ),
    tighter=proved(
        words="The row sums alone are enough for both orders (here 1/log 27 is too small for (11))",
        given={"(12)": total(I, z) <= 0},
        example=instance(theta=1 / log(27), E=2, X=[0, 1],
                         pi=plan({0: 13/25, 1: 12/25}, {0: 1/2, 1: 1/2})), statement=both,
        steps=[
            step("triangle", near - E * far <= far * (grow - E), arithmetic()),
            step("Jensen", E * far - E**2 * near <= far * (grow - E),
                 arithmetic(hints=[shrink, shrink * far])),
            step("second order", q - E * p <= rows, integrate("triangle", x, z, weight=pi(x, z))),
            step("first", E * p - E**2 * q <= rows, integrate("Jensen", x, z, weight=pi(x, z))),
            step("rows", rows <= 0, integrate("(12)", x, weight=far)),
            step("both", both, arithmetic("first", "second order", "rows")),
        ],
    ),
    breaks=[
        edit("drop (12)", "rows", instance(theta=1, E=2, X=[0, 1], pi={(0, 1): 1}), {y: 0}),
    ],
)
