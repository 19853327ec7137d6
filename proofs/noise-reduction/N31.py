"""Table 4, simulation of Figure 2b: one of the ten values is not a rounding of the root."""
from pfverify.proof.language import *
from settings.column import *

k, value = indices("k", "K"), masses("value")  # epsilon = k/10
low, high = value(k) - 1/200, value(k) + 1/200
f_low = at(f, {theta: low, epsilon: k / 10, z: c})  # column c has the root
rounding = f_low >= 0 and at(f, {theta: high, epsilon: k / 10}) <= 0
K = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
eight = "0.44 0.39 0.35 0.33 0.31 0.29 0.28 0.26"  # at epsilon = 0.3, ..., 1
mended = instance(X=[0, 1], c=1, K=K, pi=table_1, value=printed_row(K, "0.78 0.53 " + eight))

Claim(
    id="N31", source=paper("noise-reduction", "Table 4"), result=REPAIRED,
    words="The printed values of theta for Table 1 are the largest roots, rounded to two places",
    meaning=meant,
    printed=refuted(
        statement=rounding, at={k: 2}, words="at epsilon = 0.2 the root is 0.5327, not 0.54",
        instance=instance(X=[0, 1], c=1, K=K, pi=table_1,
                          value=printed_row(K, "0.78 0.54 " + eight)),
    ),
    corrected=proved(
        words="With 0.53 at epsilon = 0.2 all ten are",
        statement=rounding, data=mended,
        steps=[step("positive", low > 0, finite()), step("rounding", rounding, finite())],
    ),
    breaks=[
        edit("low = value(k)", "rounding", mended, {k: 1}),
    ],
)
