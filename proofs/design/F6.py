"""F6: the release of a normal prior with Laplace noise in closed form."""
from pfverify.proof.language import *

(b, s), m, (y, x, u) = positive("b s"), constants("m"), variables("y x u")
z = (y - m) / s
A = exp(s**2 / (2 * b**2) - (y - m) / b) * normal_cdf(z - s / b)
B = exp(s**2 / (2 * b**2) + (y - m) / b) * normal_cdf(-z - s / b)
p, F, prior = (A + B) / (2 * b), normal_cdf(z) - (A - B) / 2, normal_pdf(x, m, s)
near = exp(-abs(y - x) / b) / (2 * b)
left, right = exp((x - y) / b) / (2 * b), exp((y - x) / b) / (2 * b)
release = integral(prior * near, x, -oo, oo)
below, above = integral(prior * near, x, -oo, y), integral(prior * near, x, y, oo)
bend = derivative(derivative(p, y), y)
mass = integral(at(p, {y: u}), u, -oo, y)
closed = derivative(p, y) == (B - A) / (2 * b**2) and p - b**2 * bend == at(prior, {x: y})

Claim(
    id="F6", source=paper("design", "F6"), result=PROVED,
    words="With A = e^(s^2/2b^2 - (y-m)/b) Phi(z - s/b) and B mirrored, N(m, s^2) with Laplace(b) "
          "noise has density p = (A+B)/2b, distribution function Phi(z) - (A-B)/2, p' = (B-A)/2b^2 "
          "and p - b^2 p'' is the prior's density",
    printed=proved(
        statement=release == p and mass == F and closed,
        steps=[
            step("left", integral(prior * left, x, -oo, y) == A / (2 * b), antiderivative(
                exp(s**2 / (2 * b**2) - (y - m) / b) * normal_cdf(x, m + s**2 / b, s) / (2 * b))),
            step("right", integral(prior * right, x, y, oo) == B / (2 * b), antiderivative(
                exp(s**2 / (2 * b**2) + (y - m) / b) * normal_cdf(x, m - s**2 / b, s) / (2 * b))),
            step("kernel left", implies(x <= y, prior * near == prior * left), arithmetic()),
            step("kernel right", implies(y <= x, prior * near == prior * right), arithmetic()),
            step("below", below == integral(prior * left, x, -oo, y),
                 integrate("kernel left", x, between=(-oo, y))),
            step("above", above == integral(prior * right, x, y, oo),
                 integrate("kernel right", x, between=(y, oo))),
            step("split", release == below + above, split_integral(y)),
            step("density", release == p, arithmetic("split", "below", "above", "left", "right")),
            step("mass", mass == F, antiderivative(at(F, {y: u}))),
            step("derivatives", closed, arithmetic()),
        ],
    ),
    breaks=[edit("kernel left = prior * near == prior * left", "kernel left")],
)
