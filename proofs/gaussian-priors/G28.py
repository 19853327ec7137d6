"""Section VI-B: at equal power Gaussian noise is not the more private one."""
from pfverify.proof.language import *

R = positive("R")
y = variables("y")
sd, a, b = sqrt(3), normal_prior(0, 1), normal_prior(1, 1)
wide, moved = normal_pdf(y, 0, sd), normal_pdf(y, 1, sd)  # N(0, 1), N(1, 1) plus N(0, 2)
Laplace, Gauss = "Laplace noise of variance 2", "Gaussian noise of variance 2"
far_out = at(moved, {y: 3 * R + 1}) > exp(R) * at(wide, {y: 3 * R + 1})

Claim(
    id="G28", source=paper("gaussian-priors", "Section VI-B"), result=REPAIRED,
    words="With the same noise power Gaussian noise gives the higher indistinguishability: a bound "
          "that Laplace noise attains at epsilon = 1, delta = 0 it attains too",
    printed=refuted(
        words="N(0,1) and N(1,1) at epsilon = 1: not even with delta = 0.0155",
        statement=verdict(Gauss, "certified"),
        problem=problem(a, b, noise="gaussian", variance=2, epsilon=1, delta=155/10000),
    ),
    corrected=proved(
        words="Laplace noise is private with delta = 0, Gaussian noise of the same variance is "
              "not with delta = 0.0155; with delta = 0 it exceeds every e^R",
        statement=verdict(Laplace, "certified") and verdict(Gauss, "refuted") and far_out,
        steps=[
            step("Laplace", verdict(Laplace, "certified"),
                 certificate(problem(a, b, epsilon=1, scale=1))),
            step("Gauss", verdict(Gauss, "refuted"), certificate(
                problem(a, b, noise="gaussian", variance=2, epsilon=1, delta=155/10000))),
            step("ratio", at(moved, {y: 3 * R + 1})
                 == exp(1/6) * exp(R) * at(wide, {y: 3 * R + 1}), identity()),
            step("positive", at(wide, {y: 3 * R + 1}) > 0, arithmetic()),
            step("far out", far_out, arithmetic("ratio", "positive")),
        ],
    ),
    breaks=[
        edit("far_out = at(moved, {y: 3 * R}) > exp(R) * at(wide, {y: 3 * R})", "far out",
             instance(R=1)),
    ],
)
