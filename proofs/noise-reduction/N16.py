"""Section 3.3: with distances 0, 1, ..., n, f is a polynomial in e^(1/theta) of degree <= n."""
from pfverify.proof.language import *

(theta, E), (x, z, a) = positive("theta E"), indices("x z a", "X")
k = indices("k", "D")  # the distances, n the largest of them
n, pi = member("n", "D"), masses("pi")
t = exp(1 / theta)
f, Q = total((exp(abs(x - z) / theta) - E) * pi(x, z), x), total(pi(x, z), x)
at_k = indicator(-abs(abs(x - z) - k))  # 1 where |x - z| = k
coefficient = total(at_k * pi(x, z), x)
highest = at(coefficient, {k: n})
polynomial = f == total(coefficient * t**k, k) - E * Q
degree = implies(abs(a - z) == n and pi(a, z) > 0, highest > 0)

Claim(
    id="N16", source=paper("noise-reduction", "Section 3.3"), result=PROVED,
    words="f is a polynomial in e^(1/theta) whose order is the largest distance n",
    meaning=[total(pi(x, z), x, z) == 1, E > 1],
    printed=proved(
        words="The coefficient of t^k is the column's mass at distance k; that of t^n is positive "
              + "where the column has mass at distance n", given={"distances": total(at_k, k) == 1},
        example=instance(theta=1, E=2, n=2, X=[0, 1, 2], D=[0, 1, 2],
                         pi={(0, 0): 1/2, (1, 2): 1/4, (0, 2): 1/4}),
        statement=polynomial and degree,
        steps=[
            step("powers", total(at_k * t**k, k) == exp(abs(x - z) / theta) * total(at_k, k),
                 termwise(arithmetic(), k)),
            step("one power", total(at_k * t**k, k) == exp(abs(x - z) / theta),
                 arithmetic("powers", "distances")),
            step("column", total(coefficient * t**k, k)
                 == total(exp(abs(x - z) / theta) * pi(x, z), x),
                 integrate("one power", x, weight=pi(x, z))),
            step("polynomial", polynomial, arithmetic("column")),
            step("mass", 0 <= at_k * pi(x, z), arithmetic()),
            step("one point", at(at_k * pi(x, z), {x: a, k: n}) <= highest,
                 one_term(use("mass", {k: n}), {x: a})),
            step("degree", degree, arithmetic("one point")),
        ],
    ),
    breaks=[
        edit("drop distances", "one power",
             instance(theta=1, E=2, n=2, X=[0, 1, 2], D=[0, 2], pi={(0, 1): 1})),
    ],
)
