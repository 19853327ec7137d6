"""(16): the lower bound of the noise reduction holds column by column, not for global sums."""
from pfverify.proof.language import *
from settings.column import *  # theta: the root of column c; n: the largest distance

Phi, Q_c = positive("Phi"), at(Q, {z: c})
B, A = total(pi(z, z), z), total(Q - pi(z, z), z)  # the masses on and off the diagonal

Claim(
    id="N27", source=paper("noise-reduction", "(16)"), result=REPAIRED,
    words="The noise reduction is greater than n/epsilon - n/log((e^epsilon - 1) B/A + e^epsilon)",
    meaning=meant,
    printed=refuted(
        given={"columns": columns, "root": root, "largest": largest},
        statement=n / epsilon - theta
        > n / epsilon - n / log((exp(epsilon) - 1) * B / A + exp(epsilon)),
        instance=instance(epsilon=1, theta="1/log(25*exp(1)-24)", n=1, c=1, X=[0, 1],
                          pi=table_1),
        words="Table 1 at epsilon = 1: 0.7357 is less than 0.7760",
    ),
    corrected=proved(
        words="It is at least n/epsilon - n/Phi with the smallest Phi of the columns in (14)",
        given={"root": root, "largest": largest, "smallest": implies(
            Q > pi(z, z), exp(Phi) <= (exp(epsilon) * Q - pi(z, z)) / (Q - pi(z, z)))},
        example=instance(epsilon=log(2), theta="1/log(26)", n=1, c=1, Phi=log(26), X=[0, 1],
                         pi=table_1),
        statement=n / epsilon - theta >= n / epsilon - n / Phi,
        steps=[
            step("column", at(S, {z: c}) <= pi(c, c) + (Q_c - pi(c, c)) * exp(n / theta),
                 theorem("F22", {"w": maps(x, pi(x, c)), "u": 1 / theta, "n": n},
                         use("largest", {z: c}))),
            step("off the diagonal", Q_c > pi(c, c), arithmetic("root", "column")),
            step("exponents", Phi <= n / theta, arithmetic(
                "root", "column", "off the diagonal", use("smallest", {z: c}))),
            step("bound", n / epsilon - theta >= n / epsilon - n / Phi, arithmetic("exponents")),
        ],
    ),
    breaks=[
        edit("drop smallest", "exponents",
             instance(epsilon=1, theta=1, n=1, c=1, Phi=2, X=[0, 1], pi={(0, 1): 1})),
        edit("drop largest", "column", instance(
            epsilon=log(2), theta=1 / log(3), n=1/2, c=1, Phi=log(3), X=[0, 1],
            pi={(0, 1): 1/2, (1, 1): 1/2})),
        edit("drop root", "off the diagonal", instance(
            epsilon=log(2), theta=10, n=1, c=1, Phi=log(3), X=[0, 1],
            pi={(0, 1): 1/2, (1, 1): 1/2})),
    ],
)
