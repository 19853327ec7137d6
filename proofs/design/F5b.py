"""F5: where the density is at least 0 a one-sided sum grows, where that is, the release follows.

k runs over the normal components of both priors, with signs; d is the density of the flat part,
left and right are the sums of the atoms on either side.
"""
from pfverify.proof.language import *

b, (d, left, right, low, high) = positive("b"), constants("d left right low high")
y, k, (c, m, s) = variables("y"), indices("k", "K"), functions("c m s")
h = total(c(k) * normal_pdf(y, m(k), s(k)), k) - d
L = left - d * b * exp(y / b) + total(c(k) * exp(m(k) / b + s(k)**2 / (2 * b**2))
                                      * normal_cdf(y, m(k) + s(k)**2 / b, s(k)), k)
R = right - d * b * exp(-y / b) + total(c(k) * exp(-m(k) / b + s(k)**2 / (2 * b**2))
                                        * normal_tail(y, m(k) - s(k)**2 / b, s(k)), k)
down = exp(-y / b) * (exp(-y / b) * L + exp(y / b) * R) / (2 * b)
drop = b**2 * (at(down, {y: low}) - at(down, {y: high}))
h_L, g_L, inside = exp(y / b) * h, exp(-2 * y / b) * L, low <= y and y <= high

Claim(
    id="F5b", source=paper("design", "F5"), result=PROVED,
    words="Where h >= 0 the sum L does not fall, and where L >= 0, e^(-y/b) g does not rise, for "
          "the release g",
    printed=proved(
        given={"order": low <= high, "spread": s(k) > 0, "density": implies(inside, 0 <= h),
               "L": implies(inside, 0 <= L)},
        example=instance(b=1, d=0, left=0, right=0, low=0, high=1, K=[0], c={0: 1}, m={0: 0},
                         s={0: 1}),
        statement=at(L, {y: low}) <= at(L, {y: high}) and at(down, {y: high}) <= at(down, {y: low}),
        steps=[
            step("L value", integral(h_L, y, low, high) == at(L, {y: high}) - at(L, {y: low}),
                 antiderivative(L)),
            step("L rises", 0 <= integral(h_L, y, low, high), integrate(
                "density", y, weight=exp(y / b), using=["order"], between=(low, high))),
            step("drop", integral(g_L, y, low, high) == drop, antiderivative(-b**2 * down)),
            step("falls", 0 <= integral(g_L, y, low, high), integrate(
                "L", y, weight=exp(-2 * y / b), using=["order"], between=(low, high))),
            step("grows", at(L, {y: low}) <= at(L, {y: high}), arithmetic("L value", "L rises")),
            step("follows", at(down, {y: high}) <= at(down, {y: low}), arithmetic("drop", "falls")),
        ],
    ),
    breaks=[
        edit("drop density", "L rises"),
        edit("drop L", "falls"),
    ],
)
