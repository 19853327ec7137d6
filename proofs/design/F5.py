"""F5: between atoms, signs of the density and of one-sided sums make the release monotone.

This is what decisions use of the variation-diminishing theorem, proved by differentiation alone:
a chart of the density's sign leaves finitely many values of g to decide. k runs over the normal
components of both priors, with signs; left and right are the sums of the atoms on either side.
"""
from pfverify.proof.language import *

b, (d, left, right, low, high) = positive("b"), constants("d left right low high")
y, k = variables("y"), indices("k", "K")  # d: the density of the flat part
c, m, s = functions("c m s")
h = total(c(k) * normal_pdf(y, m(k), s(k)), k) - d
L = left - d * b * exp(y / b) + total(c(k) * exp(m(k) / b + s(k)**2 / (2 * b**2))
                                      * normal_cdf(y, m(k) + s(k)**2 / b, s(k)), k)
R = right - d * b * exp(-y / b) + total(c(k) * exp(-m(k) / b + s(k)**2 / (2 * b**2))
                                        * normal_tail(y, m(k) - s(k)**2 / b, s(k)), k)
g = (exp(-y / b) * L + exp(y / b) * R) / (2 * b)
up, down, inside = exp(y / b) * g, exp(-y / b) * g, low <= y and y <= high
L_grows = at(L, {y: low}) <= at(L, {y: high}) and at(down, {y: high}) <= at(down, {y: low})
R_falls = at(R, {y: high}) <= at(R, {y: low}) and at(up, {y: low}) <= at(up, {y: high})

Claim(
    id="F5", source=paper("design", "F5"), result=PROVED,
    words="Where h >= 0 the sum L does not fall and R does not rise; where R >= 0, e^(y/b) g does "
          "not fall; where L >= 0, e^(-y/b) g does not rise (and mirrored with -h, -R, -L)",
    printed=proved(
        given={"order": low <= high, "spread": s(k) > 0, "density": implies(inside, 0 <= h),
               "R": implies(inside, 0 <= R), "L": implies(inside, 0 <= L)},
        example=instance(b=1, d=0, left=0, right=0, low=0, high=1, K=[0], c={0: 1}, m={0: 0},
                         s={0: 1}),
        statement=L_grows and R_falls,
        steps=[
            step("grows of L", L_grows, theorem("F5b", {}, "order", "spread", "density", "L")),
            step("falls of R", R_falls, theorem("F5b", {
                "m": maps(k, -m(k)), "left": right, "right": left, "low": -high, "high": -low},
                "order", "spread", use("density", {y: -y}), use("R", {y: -y}))),
        ],
    ),
    breaks=[
        edit("drop density", "grows of L"),
        edit("drop R", "falls of R"),
    ],
)
