"""Figure 2: the scale (11) for mu = 1, delta = 0.3, epsilon = 1, as the number of users grows."""
from pfverify.proof.language import *

sigma, tau = positive("sigma tau")
K, L = variables("K L")
scale = 1 + (sqrt(K) - sqrt(K - 1)) * sigma * tau
falls = implies(1 <= K and K < L, at(scale, {K: L}) < scale)
near = implies(K > 1, 1 < scale and scale <= 1 + sigma * tau / (2 * sqrt(K - 1)))
quantile = normal_tail(10364/10000) > 3/20 and 3/20 > normal_tail(10365/10000)

Claim(
    id="G22", source=paper("gaussian-priors", "Figure 2"), result=PROVED,
    words="The curve (11) starts at 1 + sigma tau*(0.3), tau* = 1.0364..., decreases strictly in K "
          "and goes to mu/epsilon = 1: it is at most 1 + sigma tau*/(2 sqrt(K-1))",
    printed=proved(
        statement=falls and near and at(scale, {K: 1}) == 1 + sigma * tau and quantile,
        steps=[
            step("rise", implies(1 <= K and K < L, sqrt(K) + sqrt(K - 1) < sqrt(L) + sqrt(L - 1)),
                 arithmetic()),
            step("one", implies(1 <= K, (sqrt(K) - sqrt(K - 1)) * (sqrt(K) + sqrt(K - 1)) == 1),
                 arithmetic()),
            step("less", implies(1 <= K and K < L, sqrt(L) - sqrt(L - 1) < sqrt(K) - sqrt(K - 1)),
                 arithmetic("rise", "one", use("one", {K: L}))),
            step("falls", falls, arithmetic("less")),
            step("root", implies(K > 1, sqrt(K - 1) > 0 and sqrt(K) > sqrt(K - 1)), arithmetic()),
            step("size", implies(K > 1, (sqrt(K) - sqrt(K - 1)) <= 1 / (2 * sqrt(K - 1))),
                 arithmetic("one", "root")),
            step("near", near, arithmetic("size", "root")),
            step("start", at(scale, {K: 1}) == 1 + sigma * tau, identity()),
            step("quantile", quantile, enclosure()),
        ],
    ),
    breaks=[
        edit("start = at(scale, {K: 1}) == 2 + sigma * tau", "start", instance(sigma=1, tau=1)),
        edit("falls = implies(1 <= K and K <= L, at(scale, {K: L}) < scale)", "falls",
             instance(sigma=1, tau=1), {K: 1, L: 1}),
    ],
)
