"""(17): the upper bound of the noise reduction holds, but not strictly."""
from pfverify.proof.language import *
from settings.column import *  # theta: the largest root, that of column c; n: the largest distance

B, A = total(pi(z, z), z), total(Q - pi(z, z), z)  # the masses on and off the diagonal
u, v = variables("u v")
ratio = (exp(epsilon) - 1) * B / A + exp(epsilon)
bound = n / epsilon - 1 / log(ratio)

Claim(
    id="N28", source=paper("noise-reduction", "(17)"), result=REPAIRED,
    words="The noise reduction is less than n/epsilon - 1/log((e^epsilon - 1) B/A + e^epsilon)",
    meaning=meant,
    printed=refuted(
        given={"columns": columns, "root": root, "largest": largest},
        statement=n / epsilon - theta < bound, instance=one_pair,
        words="0 < 0 if all mass moves by 1: P = (1, 0), Q = (0, 1)",
    ),
    corrected=proved(
        words="It is at most that, for distances of at least 1 off the diagonal",
        given={"columns": columns, "off": A > 0, "spacing": x == z or d >= 1}, example=one_pair,
        statement=n / epsilon - theta <= bound,
        steps=[
            step("column", pi(z, z) + (Q - pi(z, z)) * exp(1 / theta) <= S, theorem(
                "F22", {"w": maps(x, pi(x, z)), "u": 1 / theta, "c": z, "m": 1}, "spacing",
                part="tighter")),
            step("sum", B + A * exp(1 / theta) <= exp(epsilon) * (A + B),
                 termwise(arithmetic("column", "columns"), z)),
            step("ratio", exp(1 / theta) <= ratio, arithmetic("sum", "off")),
            step("order", implies(exp(u) <= exp(v), u <= v), arithmetic()),
            step("bound", n / epsilon - theta <= bound,
                 arithmetic("ratio", use("order", {u: 1 / theta, v: log(ratio)}))),
        ],
    ),
    breaks=[
        edit("drop spacing", "column",
             instance(epsilon=1, theta=1/2, n=1, X=[0, 1/2], pi={(0, 1/2): 1})),
        edit("drop columns", "sum",
             instance(epsilon=1, theta=1/10, n=1, X=[0, 1], pi={(0, 1): 1})),
    ],
)
