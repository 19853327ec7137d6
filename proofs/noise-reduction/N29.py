"""The example of Theorem 4.1 with distances of at most 1: its formula holds, (18) not strictly."""
from pfverify.proof.language import *

epsilon, theta = positive("epsilon theta")
(x, z), c, pi, (u, v) = indices("x z", "X"), member("c", "X"), masses("pi"), variables("u v")
d, near, B = abs(x - z), indicator(-abs(x - z)), pi(z, z)
A = total(pi(x, z), x) - B  # the mass of the column off the diagonal
f = total(pi(x, z) * (exp(d / theta) - exp(epsilon)), x)
root = at(f, {z: c}) == 0 and at(A, {z: c}) + pi(c, c) > 0
distances = pi(x, z) == 0 or x == z or d == 1
ratio = exp(epsilon) + (exp(epsilon) - 1) * B / A
formula = (theta == 1 / log(at(ratio, {z: c})) and implies(A > 0, at(ratio, {z: c}) <= ratio)
           and theta <= 1 / epsilon and implies(pi(c, c) > 0, theta < 1 / epsilon))
one_pair = instance(epsilon=1, theta=1, c=1, X=[0, 1], pi={(0, 1): 1})

Claim(
    id="N29", source=paper("noise-reduction", "(18)"), result=REPAIRED,
    words="If no distance exceeds 1, the relaxed noise parameter is less than 1/epsilon",
    printed=refuted(
        given={"columns": f <= 0, "root": root, "distances": distances},
        statement=theta < 1 / epsilon, instance=one_pair,
        words="no mass stays where it is: P = (1, 0), Q = (0, 1)",
    ),
    corrected=proved(
        words="The formula is right with column sums; it is <= 1/epsilon, < if mass stays in c",
        given={"columns": f <= 0, "root": root, "distances": distances},
        example=[one_pair, instance(epsilon=log(2), theta=1 / log(3), c=1, X=[0, 1],
                                    pi={(0, 1): 1/2, (1, 1): 1/2})], statement=formula,
        steps=[
            step("elsewhere", implies(x != z, near == 0), arithmetic()),
            step("diagonal", total(pi(x, z) * near, x) == B * indicator(0),
                 single("elsewhere", x, weight=pi(x, z))),
            step("term", pi(x, z) * exp(d / theta)
                 == pi(x, z) * (near + (1 - near) * exp(1 / theta)), arithmetic("distances")),
            step("sum", total(pi(x, z) * exp(d / theta), x) == total(pi(x, z) * near, x)
                 + (A + B - total(pi(x, z) * near, x)) * exp(1 / theta), integrate("term", x)),
            step("at most 1", near <= 1, arithmetic()),
            step("A", total(pi(x, z) * near, x) <= A + B,
                 integrate("at most 1", x, weight=pi(x, z))),
            step("ratio", implies(A > 0, exp(1 / theta) <= ratio),
                 arithmetic("columns", "diagonal", "sum")),
            step("column c", at(A, {z: c}) > 0 and exp(1 / theta) == at(ratio, {z: c}),
                 arithmetic("root", use("diagonal", {z: c}), use("sum", {z: c}),
                            use("A", {z: c}))),
            step("order", implies(exp(u) <= exp(v), u <= v), arithmetic()),
            step("formula", formula, arithmetic(
                "column c", "ratio", use("order", {u: log(at(ratio, {z: c})), v: 1 / theta}),
                use("order", {u: 1 / theta, v: log(at(ratio, {z: c}))}))),
        ],
    ),
    breaks=[
        edit("drop distances", "term",
             instance(epsilon=1, theta=2, c=2, X=[0, 2], pi={(0, 2): 1})),
    ],
)
