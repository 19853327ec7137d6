"""Lemma 4.2 (2): the reduction tends to n/epsilon if the ratio does in every column."""
from pfverify.proof.language import *
from settings.column import *

(eta, R), (u, v) = positive("eta R"), variables("u v")
ratio = total(pi(z, z), z) / total(Q - pi(z, z), z)
reduction, least, h = n / epsilon - theta, exp(epsilon) + (exp(epsilon) - 1) * R, 1 / (R + 1)
limit = reduction < n / epsilon and implies(least >= exp(n / eta), reduction >= n / epsilon - eta)
no_reduction = (1 - h) / h == R and 1 / epsilon - theta == 0

Claim(
    id="N34", source=paper("noise-reduction", "Lemma 4.2 (2)"), result=REPAIRED,
    words="As the ratio of the masses on and off the diagonal grows, the reduction nears n/epsilon",
    printed=refuted(
        given={"columns": columns, "root": root, "largest": largest},
        statement=implies(ratio >= 999999, reduction >= n / epsilon / 2),
        words="(1, 0) to (1 - h, h) with h = 1/1000000: the reduction is 0",
        instance=instance(epsilon=1, theta=1, n=1, c=1, X=[0, 1],
                          pi=plan({0: 1}, {0: 1 - 1/1000000, 1: 1/1000000})),
    ),
    corrected=proved(
        words="It is within eta of n/epsilon if every column's ratio is at least R, R large",
        given={"root": root, "largest": largest,
               "ratios": implies(Q > pi(z, z), pi(z, z) / (Q - pi(z, z)) >= R)},
        example=instance(epsilon=log(2), theta="1/log(26)", n=1, c=1, R=24, eta=1, X=[0, 1],
                         pi=table_1), statement=limit,
        steps=[
            step("(16)", reduction >= n / epsilon - n / log(least), theorem(
                "N27", {"Phi": log(least)}, "root", "largest", "ratios", part="corrected")),
            step("order", implies(exp(u) <= exp(v), u <= v), arithmetic()),
            step("limit", limit, arithmetic("(16)", use("order", {u: n / eta, v: log(least)}))),
        ],
    ),
    tighter=proved(
        words="For every R, (1, 0) to (1 - h, h) has ratio R and reduction 0",
        given={"column 1": h * (exp(1 / theta) - exp(epsilon)) == 0},
        example=instance(R=9, epsilon=1, theta=1), statement=no_reduction,
        steps=[step("all", no_reduction, arithmetic("column 1"))],
    ),
    breaks=[
        edit("drop ratios", "(16)",
             instance(epsilon=1, theta=1, n=1, c=1, R=10, eta=1/2, X=[0, 1], pi={(0, 1): 1})),
        edit("drop root", "(16)", instance(
            epsilon=1, theta=10, n=1, c=1, R=1, eta=1, X=[0, 1], pi={(0, 1): 1/2, (1, 1): 1/2})),
        edit("drop largest", "(16)", instance(
            epsilon=log(2), theta="1/log(3)", n=1/10, c=1, R=1, eta=1/10, X=[0, 1],
            pi={(0, 1): 1/2, (1, 1): 1/2})),
    ],
)
