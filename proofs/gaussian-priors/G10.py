"""Figure 1: Laplace noise L(4) and normal noise G(0, 8) differ in variance."""
from pfverify.proof.language import *

b = positive("b")
v = variables("v")
right, left = integral(v**2 * exp(-v / b) / (2 * b), v, 0, oo), integral(
    v**2 * exp(v / b) / (2 * b), v, -oo, 0)
variance = left + right == 2 * b**2
fits = implies(2 * b**2 == 8, b == 2) and implies(2 * b**2 == 64, b == sqrt(32))

Claim(
    id="G10", source=paper("gaussian-priors", "Figure 1"), result=REPAIRED,
    words="L(4) and G(0, 8) have the same variance",
    printed=refuted(
        words="L(4) has variance 32; the 8 is a variance (Section I-C) or, read as a standard "
              "deviation, stands for 64",
        statement=2 * b**2 == 8 or 2 * b**2 == 64, instance=instance(b=4),
    ),
    corrected=proved(
        words="L(b) has variance 2 b^2: 8 is that of L(2), 64 that of L(4 sqrt(2))",
        statement=variance and fits, example=[instance(b=2), instance(b=sqrt(32))],
        steps=[
            step("right", right == b**2, antiderivative(
                -(v**2 + 2 * b * v + 2 * b**2) * exp(-v / b) / 2)),
            step("left", left == b**2, antiderivative(
                (v**2 - 2 * b * v + 2 * b**2) * exp(v / b) / 2)),
            step("variance", variance, arithmetic("right", "left")),
            step("fits", fits, arithmetic()),
        ],
    ),
    breaks=[
        edit("fits = implies(2 * b**2 == 8, b == 4)", "fits", instance(b=2)),
        edit("left = integral(v**2 * exp(v / b) / (2 * b), v, -oo, 1)", "left"),
    ],
)
