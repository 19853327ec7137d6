"""Lemma 4.2 (2): the reduction tends to n/epsilon if the ratio does in every column."""
from pfverify.proof.language import *

epsilon, n, theta, eta, R, h = positive("epsilon n theta eta R h")
(x, z), c, pi, (u, v) = indices("x z", "X"), member("c", "X"), masses("pi"), variables("u v")
d, near, Q = abs(x - z), indicator(-abs(x - z)), total(pi(x, z), x)
ratio = total(pi(x, z) * near, x, z) / total(pi(x, z) * (1 - near), x, z)
f = total(pi(x, z) * (exp(d / theta) - exp(epsilon)), x)
root, largest = at(f, {z: c}) == 0 and at(Q, {z: c}) > 0, pi(x, z) * (d - n) <= 0
reduction, least = n / epsilon - theta, exp(epsilon) + (exp(epsilon) - 1) * R
limit = reduction < n / epsilon and implies(
    least >= exp(n / eta), reduction >= n / epsilon - eta)

Claim(
    id="N34", source=paper("noise-reduction", "Lemma 4.2 (2)"), result=REPAIRED,
    words="As the ratio of the masses on and off the diagonal grows, the reduction nears n/epsilon",
    printed=refuted(
        given={"columns": f <= 0, "root": root, "largest": largest},
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
                         pi=plan({0: 13/25, 1: 12/25}, {0: 1/2, 1: 1/2})), statement=limit,
        steps=[
            step("smallest", implies(Q > pi(z, z), exp(log(least)) <= (
                exp(epsilon) * Q - pi(z, z)) / (Q - pi(z, z))), arithmetic("ratios")),
            step("(16)", reduction >= n / epsilon - n / log(least), theorem(
                "N27", {"Phi": log(least)}, "root", "largest", "smallest", part="corrected")),
            step("order", implies(exp(u) <= exp(v), u <= v), arithmetic()),
            step("limit", limit, arithmetic("(16)", use("order", {u: n / eta, v: log(least)}))),
        ],
    ),
    tighter=proved(
        words="For every R, (1, 0) to (1 - h, h) has ratio R and reduction 0",
        given={"h": h == 1 / (R + 1), "column 1": h * (exp(1 / theta) - exp(epsilon)) == 0},
        example=instance(R=9, h=1/10, epsilon=1, theta=1),
        statement=(1 - h) / h == R and 1 / epsilon - theta == 0,
        steps=[step("all", (1 - h) / h == R and 1 / epsilon - theta == 0, arithmetic(
            "h", "column 1"))],
    ),
    breaks=[
        edit("drop ratios", "smallest",
             instance(epsilon=1, theta=1, n=1, c=1, R=10, eta=1/2, X=[0, 1], pi={(0, 1): 1})),
    ],
)
