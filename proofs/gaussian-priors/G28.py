"""Section VI-B: at equal power Gaussian noise is not the more private one."""
from pfverify.proof.language import *

R = positive("R")
y, x = variables("y x")
E, sd = exp(1), sqrt(3)
wide, moved = normal_pdf(y, 0, sd), normal_pdf(y, 1, sd)  # N(0, 1), N(1, 1) plus N(0, 2)
near, far = exp(-abs(y - x)), exp(-abs(y - x - 1))  # Laplace(1) has variance 2; x: the data
event = normal_tail(y, 1, sd) <= E * normal_tail(y, 0, sd) + 155/10000
bound = moved <= E * wide
both = (near <= E * far and far <= E * near
        and at(moved, {y: 3 * R + 1}) > exp(R) * at(wide, {y: 3 * R + 1}))

Claim(
    id="G28", source=paper("gaussian-priors", "Section VI-B"), result=REPAIRED,
    words="With the same noise power Gaussian noise gives the higher indistinguishability: a bound "
          "that Laplace noise attains at epsilon = 1, delta = 0 it attains too",
    printed=refuted(
        words="N(0,1), N(1,1), noise of variance 2: at y = 4 the log ratio of the densities is "
              "7/6, and the excess of the outputs above y = 7/2 is 0.0155",
        statement=at(bound, {y: 4}) or at(event, {y: 7/2}),
    ),
    corrected=proved(
        words="Laplace noise keeps every ratio between 1/e and e, Gaussian noise exceeds every e^R",
        statement=both,
        steps=[
            step("Laplace", near <= E * far and far <= E * near, arithmetic()),
            step("Gauss", at(moved, {y: 3 * R + 1})
                 == exp(1/6) * exp(R) * at(wide, {y: 3 * R + 1}), identity()),
            step("positive", at(wide, {y: 3 * R + 1}) > 0, arithmetic()),
            step("both", both, arithmetic("Laplace", "Gauss", "positive")),
        ],
    ),
)
