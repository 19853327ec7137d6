"""Figure 1 (c): with normal noise no two different normal laws have a bounded log ratio."""
from pfverify.proof.language import *

v, w, M = positive("v w M")  # v, w: the variances of the releases
m, n, c = constants("m n c")  # c: the logarithm of the ratio of the standard deviations
y = variables("y")
log_ratio = (y - n)**2 / (2 * w) - (y - m)**2 / (2 * v) + c
bend, slope = (1 / w - 1 / v) / 2, m / v - n / w

Claim(
    id="G11", source=paper("gaussian-priors", "Figure 1 (c)"), result=REPAIRED,
    words="With normal noise the largest absolute log ratio of the two releases is 0.0156",
    printed=refuted(
        words="For instance N(0, 1) and N(1, 4), released as N(0, 9) and N(1, 12): more at y = 10",
        statement=abs(log_ratio) <= 156/10000,
        instance=instance(v=9, w=12, m=0, n=1, c=log(4/3)/2), at={y: 10},
    ),
    corrected=proved(
        words="If the log ratio is bounded, by whatever M, the two laws are the same: for "
              "different ones the largest value is infinite, and 0.0156 is that of the "
              "drawn window",
        given={"bounded": abs(log_ratio) <= M},
        example=instance(v=1, w=1, m=0, n=0, c=0, M=1),
        statement=v == w and m == n,
        steps=[
            step("second difference", abs(2 * bend * y**2) <= 4 * M, arithmetic(
                "bounded", use("bounded", {y: -y}), use("bounded", {y: 0}))),
            step("no bend", bend == 0, arithmetic(
                use("second difference", {y: 1}), use("second difference", {y: 1 + 2 * M}),
                use("second difference", {y: 1 / bend + 4 * M / bend}))),
            step("first difference", abs(slope * y) <= 2 * M, arithmetic(
                "bounded", use("bounded", {y: 0}), "no bend")),
            step("no slope", slope == 0,
                 arithmetic(use("first difference", {y: 3 * M / slope}))),
            step("all", v == w and m == n, arithmetic("no bend", "no slope")),
        ],
    ),
    breaks=[edit("drop bounded", "second difference", instance(v=1, w=2, m=0, n=0, c=0, M=1))],
)
