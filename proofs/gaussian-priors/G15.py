"""(7), (8): sums of independent normal variables, by one convolution at a time."""
from pfverify.proof.language import *

s, t = positive("s t")
m, n, a = constants("m n a")
x, y, v = variables("x y v")
r = sqrt(s**2 + t**2)
density = integral(normal_pdf(x, m, s) * normal_pdf(y - x, n, t), x, -oo, oo)
middle = m + s**2 * (y - m - n) / (s**2 + t**2)  # given the sum, X is N(middle, (s t / r)^2)
moved = integral(normal_pdf(v, m, s), v, -oo, y - a) == normal_cdf(y, a + m, s)  # a + X <= y
statement = density == normal_pdf(y, m + n, r) and moved

Claim(
    id="G15", source=paper("gaussian-priors", "(7), (8)"), result=PROVED,
    open="the step from one user to K users (an induction over users) is left to the reader",
    words="The sum of independent N(m, s^2) and N(n, t^2) is N(m + n, s^2 + t^2), and a + N(m, "
          "s^2) is N(a + m, s^2): (7) and (8) follow, adding one user after the other",
    printed=proved(
        statement=statement,
        steps=[
            step("sum", density == normal_pdf(y, m + n, r), antiderivative(
                normal_pdf(y, m + n, r) * normal_cdf(x, middle, s * t / r))),
            step("shift", moved, antiderivative(normal_cdf(v, m, s))),
            step("all", statement, arithmetic("sum", "shift")),
        ],
    ),
)
