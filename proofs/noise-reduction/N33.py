"""Lemma 4.2 (1): the noise reduction is no function of the global ratio of masses."""
from pfverify.proof.language import *

epsilon, n, theta, theta_2 = positive("epsilon n theta theta_2")
(x, z), (u, v), (pi, pi_2, s) = indices("x z", "X"), variables("u v"), masses("pi pi_2 s")
b, c = member("b c", "X")  # the columns with the largest roots
d, a, near = abs(x - z), abs(x - c), indicator(-abs(x - z))
ratio = total(pi(x, z) * near, x, z) / total(pi(x, z) * (1 - near), x, z)
ratio_2 = total(pi_2(x, z) * near, x, z) / total(pi_2(x, z) * (1 - near), x, z)
f = total(pi(x, z) * (exp(d / theta) - exp(epsilon)), x)
f_2 = total(pi_2(x, z) * (exp(d / theta_2) - exp(epsilon)), x)
root = at(f, {z: b}) == 0 and total(pi(x, b), x) > 0
root_2 = at(f_2, {z: c}) == 0 and total(pi_2(x, c), x) > 0
grows = n / epsilon - theta <= n / epsilon - theta_2
S, M = total(pi_2(x, c) * exp(a * u), x), total(pi_2(x, c) * exp(a * u) * a, x)

Claim(
    id="N33", source=paper("noise-reduction", "Lemma 4.2 (1)"), result=REPAIRED,
    words="The larger the ratio of the masses on and off the diagonal, the larger the reduction",
    printed=refuted(
        given={"columns": f <= 0 and f_2 <= 0, "roots": root and root_2,
               "largest distance": (pi(x, z) + pi_2(x, z)) * (d - n) <= 0},
        statement=implies(ratio < ratio_2, grows), words="ratio 3 gives 0, ratio 1 more than 0",
        instance=instance(epsilon=log(2), n=1, b=1, c=1, X=[0, 1],
                          theta="1/log(3)", pi=plan({0: 1/2, 1: 1/2}, {1: 1}),
                          theta_2="1/log(2)", pi_2=plan({0: 1}, {0: 3/4, 1: 1/4})),
    ),
    corrected=proved(
        words="It does not fall when the diagonal's share grows in every column and the other "
              "shares there stay alike",
        given={"columns": f <= 0, "root 2": root_2,
               "alike": pi_2(x, z) == s(z) * pi(x, z)
               or x == z and pi_2(x, z) >= s(z) * pi(x, z)},
        example=instance(epsilon=log(2), n=1, c=1, X=[0, 1], s={1: 1/2},
                         theta="1/log(2)", pi={(0, 1): 1},
                         theta_2="1/log(3)", pi_2={(0, 1): 1/2, (1, 1): 1/2}), statement=grows,
        steps=[
            step("term", pi_2(x, c) * (exp(a / theta) - exp(epsilon))
                 <= s(c) * pi(x, c) * (exp(a / theta) - exp(epsilon)),
                 arithmetic(use("alike", {z: c}))),
            step("sum", total(pi_2(x, c) * (exp(a / theta) - exp(epsilon)), x)
                 <= s(c) * at(f, {z: c}), integrate("term", x)),
            step("tangent", exp(a * u) * (1 + a * (v - u)) <= exp(a * v),
                 arithmetic(hints=[exp(a * (v - u))])),
            step("tangents", S + M * (v - u) <= at(S, {u: v}),
                 integrate("tangent", x, weight=pi_2(x, c))),
            step("order", theta_2 <= theta,
                 arithmetic("sum", use("columns", {z: c}), "root 2",
                            use("tangents", {u: 1 / theta_2, v: 1 / theta}),
                            use("tangents", {u: 1 / theta_2, v: 0}))),
        ],
    ),
    breaks=[
        edit("drop alike", "term", instance(
            epsilon=log(2), n=1, c=1, X=[0, 1], s={1: 1}, theta="1/log(3)",
            pi={(0, 1): 1/2, (1, 1): 1/2}, theta_2="1/log(2)", pi_2={(0, 1): 1})),
    ],
)
