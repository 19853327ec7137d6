"""F16: the convolution of two normal densities is normal."""
from pfverify.proof.language import *

s, t = positive("s t")
m, n = constants("m n")
x, y = variables("x y")
r = sqrt(s**2 + t**2)
density = integral(normal_pdf(x, m, s) * normal_pdf(y - x, n, t), x, -oo, oo)
middle = m + s**2 * (y - m - n) / r**2  # given the sum, X is N(middle, (s t / r)^2)

Claim(
    id="F16b", source=paper("design", "F16"), result=PROVED,
    words="The density of N(m, s^2) and that of N(n, t^2) have the convolution "
          "N(m + n, s^2 + t^2)",
    printed=proved(
        statement=density == normal_pdf(y, m + n, r),
        steps=[
            step("convolution", density == normal_pdf(y, m + n, r),
                 antiderivative(normal_pdf(y, m + n, r) * normal_cdf(x, middle, s * t / r))),
        ],
    ),
    breaks=[edit("r = s + t", "convolution")],
)
