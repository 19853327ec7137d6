"""(7), (8): sums of independent normal variables, by one convolution at a time.

To a user with the law N(m, s^2) come the users k of a set K of numbers, in their order.
"""
from pfverify.proof.language import *

s, (m, a), (x, y, v) = positive("s"), constants("m a"), variables("x y v")
(i, k), last, mu, var = indices("i k", "K"), member("last", "K"), functions("mu"), masses("var")
before, upto = 1 - indicator(i - k), indicator(k - i)  # i < k, i <= k
M, V = m + total(mu(i) * upto, i), s**2 + total(var(i) * upto, i)  # of the users up to k
M_before = M - mu(k) == m + total(mu(i) * before, i)
V_before = V - var(k) == s**2 + total(var(i) * before, i)
pair = normal_pdf(x, M - mu(k), sqrt(V - var(k))) * normal_pdf(y - x, mu(k), sqrt(var(k)))
joins = integral(pair, x, -oo, oo) == normal_pdf(y, M, sqrt(V))
all_M, all_V = at(M, {k: last}) == m + total(mu(i), i), at(V, {k: last}) == s**2 + total(var(i), i)
moved = integral(normal_pdf(v, m, s), v, -oo, y - a) == normal_cdf(y, a + m, s)  # a + X <= y

Claim(
    id="G15", source=paper("gaussian-priors", "(7), (8)"), result=PROVED,
    open="that the density of a sum of independent variables is their convolution, its definition",
    words="The sum of independent normal variables is normal, its mean and variance the sums of "
          "theirs, adding one user after the other: (7); and a + N(m, s^2) is N(a + m, s^2): (8)",
    printed=proved(
        given={"spread": var(k) > 0, "last": i <= last},
        example=instance(K=[1, 2], last=2, s=1, m=0, a=0, mu={"else": 2}, var={1: 1, 2: 1}),
        statement=M_before and V_before and joins and all_M and all_V and moved,
        steps=[
            step("only k", implies(i != k, upto - before == 0), arithmetic()),
            step("M before", M_before, single("only k", i, weight=mu(i))),
            step("V before", V_before, single("only k", i, weight=var(i))),
            step("positive", 0 <= total(var(i) * before, i), termwise(arithmetic(), i)),
            step("joins", joins, theorem("F16b", {
                "m": M - mu(k), "s": sqrt(V - var(k)), "n": mu(k), "t": sqrt(var(k))},
                "V before", "positive", "spread")),
            step("all M", all_M, termwise(arithmetic("last"), i)),
            step("all V", all_V, termwise(arithmetic("last"), i)),
            step("shift", moved, antiderivative(normal_cdf(v, m, s))),
        ],
    ),
    breaks=[
        edit("drop last", "all M", instance(
            K=[1, 2], last=1, s=1, m=0, a=0, mu={"else": 2}, var={1: 1, 2: 1})),
        edit("V = s**2 + total(var(i), i)", "V before"),
        edit("drop spread", "joins"),
    ],
)
