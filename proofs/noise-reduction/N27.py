"""(16): the lower bound of the noise reduction holds column by column, not for global sums."""
from pfverify.proof.language import *

epsilon, n, theta, Phi = positive("epsilon n theta Phi")
(x, z), c, pi = indices("x z", "X"), member("c", "X"), masses("pi")
d, near, Q = abs(x - z), indicator(-abs(x - z)), total(pi(x, z), x)
B, A = total(pi(x, z) * near, x, z), total(pi(x, z) * (1 - near), x, z)
f = total(pi(x, z) * (exp(d / theta) - exp(epsilon)), x)
root, largest = at(f, {z: c}) == 0 and at(Q, {z: c}) > 0, pi(x, z) * (d - n) <= 0
a, near_c, Q_c = abs(x - c), at(near, {z: c}), at(Q, {z: c})

Claim(
    id="N27", source=paper("noise-reduction", "(16)"), result=REPAIRED,
    words="The noise reduction is greater than n/epsilon - n/log((e^epsilon - 1) B/A + e^epsilon)",
    printed=refuted(
        given={"columns": f <= 0, "root": root, "largest": largest},
        statement=n / epsilon - theta
        > n / epsilon - n / log((exp(epsilon) - 1) * B / A + exp(epsilon)),
        instance=instance(epsilon=1, theta="1/log(25*exp(1)-24)", n=1, c=1, X=[0, 1],
                          pi=plan({0: 13/25, 1: 12/25}, {0: 1/2, 1: 1/2})),
        words="Table 1 at epsilon = 1: 0.7357 is less than 0.7760",
    ),
    corrected=proved(
        words="It is at least n/epsilon - n/Phi with the smallest Phi of the columns in (14)",
        given={"root": root, "largest": largest, "smallest": implies(
            Q > pi(z, z), exp(Phi) <= (exp(epsilon) * Q - pi(z, z)) / (Q - pi(z, z)))},
        example=instance(epsilon=log(2), theta="1/log(26)", n=1, c=1, Phi=log(26), X=[0, 1],
                         pi=plan({0: 13/25, 1: 12/25}, {0: 1/2, 1: 1/2})),
        statement=n / epsilon - theta >= n / epsilon - n / Phi,
        steps=[
            step("elsewhere", implies(x != c, near_c == 0), arithmetic()),
            step("diagonal", total(pi(x, c) * near_c, x) == pi(c, c) * indicator(0),
                 single("elsewhere", x, weight=pi(x, c))),
            step("at most n", pi(x, c) * exp(a / theta)
                 <= pi(x, c) * (exp(n / theta) + near_c * (1 - exp(n / theta))),
                 arithmetic(use("largest", {z: c}))),
            step("sum", total(pi(x, c) * exp(a / theta), x)
                 <= Q_c * exp(n / theta) + total(pi(x, c) * near_c, x) * (1 - exp(n / theta)),
                 integrate("at most n", x)),
            step("off the diagonal", Q_c > pi(c, c), arithmetic("root", "diagonal", "sum")),
            step("exponents", Phi <= n / theta,
                 arithmetic("root", "diagonal", "sum", "off the diagonal",
                            use("smallest", {z: c}))),
            step("bound", n / epsilon - theta >= n / epsilon - n / Phi, arithmetic("exponents")),
        ],
    ),
    breaks=[
        edit("drop smallest", "exponents",
             instance(epsilon=1, theta=1, n=1, c=1, Phi=2, X=[0, 1], pi={(0, 1): 1})),
    ],
)
