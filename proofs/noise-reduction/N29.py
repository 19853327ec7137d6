"""The example of Theorem 4.1 with distances of at most 1: its formula holds, (18) not strictly."""
from pfverify.proof.language import *
from settings.column import *  # theta: the largest root, that of column c

B, A, (u, v) = pi(z, z), Q - pi(z, z), variables("u v")  # B, A: the masses on and off the diagonal
distances = pi(x, z) == 0 or x == z or d == 1
ratio = exp(epsilon) + (exp(epsilon) - 1) * B / A
ratio_c = at(ratio, {z: c})
formula = (theta == 1 / log(ratio_c) and implies(A > 0, ratio_c <= ratio)
           and theta <= 1 / epsilon and implies(pi(c, c) > 0, theta < 1 / epsilon))

Claim(
    id="N29", source=paper("noise-reduction", "(18)"), result=REPAIRED,
    words="If no distance exceeds 1, the relaxed noise parameter is less than 1/epsilon",
    meaning=meant,
    printed=refuted(
        given={"columns": columns, "root": root, "distances": distances},
        statement=theta < 1 / epsilon, instance=one_pair,
        words="no mass stays where it is: P = (1, 0), Q = (0, 1)",
    ),
    corrected=proved(
        words="The formula is right with column sums; it is <= 1/epsilon, < if mass stays in c",
        given={"columns": columns, "root": root, "distances": distances},
        example=[one_pair, half_moves], statement=formula,
        steps=[
            step("at most", S <= B + A * exp(1 / theta) and B <= Q, theorem(
                "F22", {"w": maps(x, pi(x, z)), "u": 1 / theta, "c": z, "n": 1}, "distances")),
            step("at least", B + A * exp(1 / theta) <= S, theorem(
                "F22", {"w": maps(x, pi(x, z)), "u": 1 / theta, "c": z, "m": 1}, "distances",
                part="tighter")),
            step("ratio", implies(A > 0, exp(1 / theta) <= ratio),
                 arithmetic("columns", "at least")),
            step("column c", at(A, {z: c}) > 0 and exp(1 / theta) == ratio_c,
                 arithmetic("root", use("at most", {z: c}), use("at least", {z: c}))),
            step("order", implies(exp(u) <= exp(v), u <= v), arithmetic()),
            step("formula", formula, arithmetic(
                "column c", "ratio", use("order", {u: log(ratio_c), v: 1 / theta}),
                use("order", {u: 1 / theta, v: log(ratio_c)}))),
        ],
    ),
    breaks=[
        edit("drop distances", "at most",
             instance(epsilon=1, theta=2, c=2, X=[0, 2], pi={(0, 2): 1})),
        edit("drop root", "column c", instance(epsilon=1, theta=2, c=1, X=[0, 1], pi={(0, 1): 1})),
        edit("drop columns", "ratio", instance(
            epsilon=log(2), theta=1 / log(3), c=0, X=[0, 1],
            pi={(0, 0): 1/4, (1, 0): 1/4, (0, 1): 1/2})),
    ],
)
