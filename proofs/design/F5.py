"""F5: between atoms, signs of the density and of one-sided sums make the release monotone.

This is what decisions use of the variation-diminishing theorem, proved by differentiation alone:
a chart of the density's sign leaves finitely many values of g to decide. k runs over the normal
components of both priors, with signs; left and right are the sums of the atoms on either side.
"""
from pfverify.proof.language import *

b = positive("b")
d, left, right, low, high = constants("d left right low high")  # d: the density of the flat part
y = variables("y")
k = indices("k", "K")
c, m, s = functions("c m s")
h = total(c(k) * normal_pdf(y, m(k), s(k)), k) - d
L = left - d * b * exp(y / b) + total(c(k) * exp(m(k) / b + s(k)**2 / (2 * b**2))
                                      * normal_cdf(y, m(k) + s(k)**2 / b, s(k)), k)
R = right - d * b * exp(-y / b) + total(c(k) * exp(-m(k) / b + s(k)**2 / (2 * b**2))
                                        * normal_tail(y, m(k) - s(k)**2 / b, s(k)), k)
g = (exp(-y / b) * L + exp(y / b) * R) / (2 * b)
up, down = exp(y / b) * g, exp(-y / b) * g
h_L, h_R, g_R, g_L = exp(y / b) * h, exp(-y / b) * h, exp(2 * y / b) * R, exp(-2 * y / b) * L
inside = low <= y and y <= high
grows = at(L, {y: low}) <= at(L, {y: high}) and at(R, {y: high}) <= at(R, {y: low})
follows = at(up, {y: low}) <= at(up, {y: high}) and at(down, {y: high}) <= at(down, {y: low})

Claim(
    id="F5", source=paper("design", "F5"), result=PROVED,
    words="Where h >= 0 the sum L does not fall and R does not rise; where R >= 0, e^(y/b) g does "
          "not fall; where L >= 0, e^(-y/b) g does not rise (and mirrored with -h, -R, -L)",
    printed=proved(
        given={"order": low <= high, "spread": s(k) > 0, "density": implies(inside, 0 <= h),
               "R": implies(inside, 0 <= R), "L": implies(inside, 0 <= L)},
        example=instance(b=1, d=0, left=0, right=0, low=0, high=1, K=[0], c={0: 1}, m={0: 0},
                         s={0: 1}),
        statement=grows and follows,
        steps=[
            step("L value", integral(h_L, y, low, high) == at(L, {y: high}) - at(L, {y: low}),
                 antiderivative(L)),
            step("R value", integral(h_R, y, low, high) == at(R, {y: low}) - at(R, {y: high}),
                 antiderivative(-R)),
            step("up value", integral(g_R, y, low, high)
                 == b**2 * (at(up, {y: high}) - at(up, {y: low})), antiderivative(b**2 * up)),
            step("down value", integral(g_L, y, low, high)
                 == b**2 * (at(down, {y: low}) - at(down, {y: high})),
                 antiderivative(-b**2 * down)),
            step("L rises", 0 <= integral(h_L, y, low, high), integrate(
                "density", y, weight=exp(y / b), using=["order"], between=(low, high))),
            step("R falls", 0 <= integral(h_R, y, low, high), integrate(
                "density", y, weight=exp(-y / b), using=["order"], between=(low, high))),
            step("up rises", 0 <= integral(g_R, y, low, high), integrate(
                "R", y, weight=exp(2 * y / b), using=["order"], between=(low, high))),
            step("down falls", 0 <= integral(g_L, y, low, high), integrate(
                "L", y, weight=exp(-2 * y / b), using=["order"], between=(low, high))),
            step("all", grows and follows, arithmetic(
                "L rises", "L value", "R falls", "R value",
                "up rises", "up value", "down falls", "down value")),
        ],
    ),
)
