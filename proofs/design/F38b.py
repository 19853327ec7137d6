"""F38: how discrete Gaussian noise is drawn: discrete Laplace noise that is kept by its size.

A draw of size y has the weight e^(-y/t), t > 0, and is kept with chance e^(-(y - v/t)^2/(2v)).
"""
from pfverify.proof.language import *

(t, v), y = positive("t v"), variables("y")
drawn, kept = exp(-y / t), exp(-(y - v / t)**2 / (2 * v))

Claim(
    id="F38b", source=paper("design", "F38"), result=PROVED,
    words="A discrete Laplace draw of size y, weight e^(-y/t), that is kept with chance "
          "e^(-(y - v/t)^2/(2v)) has the weight e^(-y^2/(2v)), up to a factor, whatever t is",
    printed=proved(
        statement=drawn * kept == exp(-v / (2 * t**2)) * exp(-y**2 / (2 * v)),
        steps=[step("product", drawn * kept == exp(-v / (2 * t**2)) * exp(-y**2 / (2 * v)),
                    identity())],
    ),
    breaks=[edit("drawn = exp(-t * y)", "product", instance(t=2, v=1), {y: 1})],
)
