"""F41: normal noise and more normal noise is normal noise; scales that earlier outputs choose.

One release with the precision t is one of precision a and one of t - a (F41b). Given the output of
the first, the second makes one of any smaller precision: noise of the difference of the variances,
which may depend on that output, is added. So whatever the choice, one release of the largest total
precision shows no less; and spending it so is among the choices.

Symbols:
x: a value of X
s, r: the standard deviations of the noise and of the noise added to it
y: an output
v: the output before
"""
from pfverify.proof.language import *

(s, r), (x, y, v) = positive("s r"), variables("x y v")
whole, spread = sqrt(s**2 + r**2), s * r / sqrt(s**2 + r**2)
middle = (x * r**2 + y * s**2) / (s**2 + r**2)
product = normal_pdf(v, x, s) * normal_pdf(y, v, r)
sum_of = integral(product, v, -oo, oo)
primitive = normal_pdf(y, x, whole) * normal_cdf(v, middle, spread)

Claim(
    id="F41c", source=paper("design", "F41"), result=PROVED,
    words="Normal noise of variance s^2 and independent normal noise of variance r^2 add up to "
          "normal noise of variance s^2 + r^2, so that a release of a smaller precision is made of "
          "one of a larger precision, also if earlier outputs choose it",
    printed=proved(
        statement=sum_of == normal_pdf(y, x, whole),
        steps=[step("sum", sum_of == normal_pdf(y, x, whole), antiderivative(primitive))],
    ),
    breaks=[edit("whole = s + r", "sum")],
)
