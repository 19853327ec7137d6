"""Lemma 4.2 (1): the noise reduction is no function of the global ratio of masses."""
from pfverify.proof.language import *
from settings.column import *

theta_2, b, (pi_2, s) = positive("theta_2"), member("b", "X"), masses("pi_2 s")
ratio = total(pi(z, z), z) / (total(pi(x, z), x, z) - total(pi(z, z), z))
ratio_2 = total(pi_2(z, z), z) / (total(pi_2(x, z), x, z) - total(pi_2(z, z), z))
f_2 = total(pi_2(x, z) * (exp(d / theta_2) - exp(epsilon)), x)
root_2 = at(f_2, {z: b}) == 0 and total(pi_2(x, b), x) > 0  # of pi_2, in column b
a, grows = abs(x - b), n / epsilon - theta <= n / epsilon - theta_2
near, near_2 = exp(a / theta) - 1, exp(a / theta_2) - 1

Claim(
    id="N33", source=paper("noise-reduction", "Lemma 4.2 (1)"), result=REPAIRED,
    words="The larger the ratio of the masses on and off the diagonal, the larger the reduction",
    printed=refuted(
        given={"columns": columns and f_2 <= 0, "roots": root and root_2,
               "largest distance": (pi(x, z) + pi_2(x, z)) * (d - n) <= 0},
        statement=implies(ratio < ratio_2, grows), words="ratio 3 gives 0, ratio 1 more than 0",
        instance=instance(epsilon=log(2), n=1, b=1, c=1, X=[0, 1],
                          theta="1/log(3)", pi=plan({0: 1/2, 1: 1/2}, {1: 1}),
                          theta_2="1/log(2)", pi_2=plan({0: 1}, {0: 3/4, 1: 1/4})),
    ),
    corrected=proved(
        words="It does not fall when the diagonal's share grows in every column and the other "
              "shares there stay alike",
        given={"columns": columns, "root 2": root_2, "alike": pi_2(x, z) == s(z) * pi(x, z)
               or x == z and pi_2(x, z) >= s(z) * pi(x, z)}, statement=grows,
        example=instance(epsilon=log(2), n=1, b=1, X=[0, 1], s={1: 1/2}, theta="1/log(2)",
                         pi={(0, 1): 1}, theta_2="1/log(3)", pi_2={(0, 1): 1/2, (1, 1): 1/2}),
        steps=[
            step("column b", total(pi_2(x, b) * (exp(a / theta) - exp(epsilon)), x)
                 <= s(b) * at(f, {z: b}), termwise(arithmetic(use("alike", {z: b})), x)),
            step("Bernoulli", implies(theta <= theta_2, total(pi_2(x, b) * near_2, x)
                 * theta_2 / theta <= total(pi_2(x, b) * near, x)), termwise(arithmetic(
                     hints=[exp(a / theta - a / theta_2), exp(-a / theta_2)]), x)),
            step("order", grows,
                 arithmetic("column b", use("columns", {z: b}), "root 2", "Bernoulli")),
        ],
    ),
    breaks=[
        edit("drop alike", "column b", instance(
            epsilon=log(2), n=1, b=1, X=[0, 1], s={1: 1}, theta="1/log(3)",
            pi={(0, 1): 1/2, (1, 1): 1/2}, theta_2="1/log(2)", pi_2={(0, 1): 1})),
        edit("drop columns", "order", instance(
            epsilon=log(2), n=1, b=1, X=[0, 1], s={1: 1}, theta="1/log(3)", pi={(0, 1): 1},
            theta_2="1/log(2)", pi_2={(0, 1): 1})),
        edit("drop root 2", "order", instance(
            epsilon=log(2), n=1, b=1, X=[0, 1], s={1: 1}, theta="1/log(2)", pi={(0, 1): 1},
            theta_2=10, pi_2={(0, 1): 1})),
    ],
)
