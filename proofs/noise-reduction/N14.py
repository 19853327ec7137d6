"""Proposition 3.2: the largest root of the column sums is a private scale, in both orders."""
from pfverify.proof.language import *
from settings.releases import *

root = functions("root")
f_root = total((exp(abs(x - z) / root(z)) - E) * pi(x, z), x)
a, b = masses_of({0: 50001, 1: 0, 2: 1, 3: 49998}), masses_of({0: 49996, 1: 1, 2: 0, 3: 50003})
f1 = total((exp(abs(x - 1) / 9) - exp(1/10)) * pi(x, 1), x)
small = verdict("Table 2", "certified") and f1 > 0

Claim(
    id="N14", source=paper("noise-reduction", "Proposition 3.2"), result=PROVED,
    words="A scale not below a root of every column sum (or a point where it is <= 0) is private",
    meaning=meant,
    printed=proved(
        given={"root": root(z) > 0 and f_root <= 0, "largest": root(z) <= theta},
        example=instance(theta=1/3, E=2, X=[0, 1], root={0: 1/10, 1: 1 / log(26)},
                         pi=table_1), statement=private,
        steps=[
            step("decreasing", f <= f_root,
                 termwise(arithmetic("root", "largest"), x, weight=pi(x, z))),
            step("(11)", f <= 0, arithmetic("root", "decreasing")),
            step("scaled", 2 * theta * p <= E * 2 * theta * q
                 and 2 * theta * q <= E * 2 * theta * p, theorem("N09", {}, "(11)")),
            step("both", private, arithmetic("scaled")),
        ],
    ),
    tighter=proved(
        words="Table 2 at epsilon = 1/10: column 1 has its root above 9, but 1/8 is private",
        data=instance(X=[0, 1, 2, 3], pi=plan(a, b)), statement=small,
        steps=[
            step("1/8", verdict("Table 2", "certified"),
                 certificate(problem(a, b, epsilon=1/10, scale=1/8))),
            step("9 is too small for (13)", f1 > 0, finite()),
        ],
    ),
    breaks=[
        edit("drop largest", "decreasing", instance(
            theta=1/10, E=2, root={0: 1, 1: "1/log(2)"}, X=[0, 1], pi={(0, 1): 1}), {y: 0}),
        edit("drop root", "decreasing", instance(
            theta=1/10, E=2, root={0: 1/10, 1: 1/10}, X=[0, 1], pi={(0, 1): 1}), {y: 0}),
    ],
)
