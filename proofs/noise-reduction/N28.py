"""(17): the upper bound of the noise reduction holds, but not strictly."""
from pfverify.proof.language import *

epsilon, n, theta = positive("epsilon n theta")
(x, z), c, pi, (u, v) = indices("x z", "X"), member("c", "X"), masses("pi"), variables("u v")
d, near, Q = abs(x - z), indicator(-abs(x - z)), total(pi(x, z), x)
B, A = total(pi(x, z) * near, x, z), total(pi(x, z) * (1 - near), x, z)
moved = total(pi(x, z) * near, x) + total(pi(x, z) * (1 - near), x) * exp(1 / theta)
f = total(pi(x, z) * (exp(d / theta) - exp(epsilon)), x)
root = at(f, {z: c}) == 0 and at(Q, {z: c}) > 0
ratio = (exp(epsilon) - 1) * B / A + exp(epsilon)
bound = n / epsilon - 1 / log(ratio)
one_pair = instance(epsilon=1, theta=1, n=1, c=1, X=[0, 1], pi={(0, 1): 1})

Claim(
    id="N28", source=paper("noise-reduction", "(17)"), result=REPAIRED,
    words="The noise reduction is less than n/epsilon - 1/log((e^epsilon - 1) B/A + e^epsilon)",
    printed=refuted(
        given={"columns": f <= 0, "root": root, "largest": pi(x, z) * (d - n) <= 0},
        statement=n / epsilon - theta < bound, instance=one_pair,
        words="0 < 0 if all mass moves by 1: P = (1, 0), Q = (0, 1)",
    ),
    corrected=proved(
        words="It is at most that, for distances of at least 1 off the diagonal",
        given={"columns": f <= 0, "off": A > 0, "spacing": x == z or d >= 1}, example=one_pair,
        statement=n / epsilon - theta <= bound,
        steps=[
            step("at least 1", near + (1 - near) * exp(1 / theta) <= exp(d / theta),
                 arithmetic("spacing")),
            step("column", moved <= total(pi(x, z) * exp(d / theta), x),
                 integrate("at least 1", x, weight=pi(x, z))),
            step("with f", moved <= exp(epsilon) * Q, arithmetic("column", "columns")),
            step("sum", B + A * exp(1 / theta) <= exp(epsilon) * (A + B), integrate("with f", z)),
            step("ratio", exp(1 / theta) <= ratio, arithmetic("sum", "off")),
            step("order", implies(exp(u) <= exp(v), u <= v), arithmetic()),
            step("bound", n / epsilon - theta <= bound,
                 arithmetic("ratio", use("order", {u: 1 / theta, v: log(ratio)}))),
        ],
    ),
    breaks=[
        edit("drop spacing", "at least 1",
             instance(epsilon=1, theta=1/2, n=1, X=[0, 1/2], pi={(0, 1/2): 1})),
    ],
)
