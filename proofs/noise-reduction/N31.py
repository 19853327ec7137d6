"""Table 4, simulation of Figure 2b: one of the ten values is not a rounding of the root."""
from pfverify.proof.language import *

theta = positive("theta")
(x, z), k = indices("x z", "X"), indices("k", "K")  # epsilon = k/10
pi, value = masses("pi value")
f = total(pi(x, z) * (exp(abs(x - z) / theta) - exp(k / 10)), x)
low, high = value(k) - 1/200, value(k) + 1/200
f_low = total(pi(x, 1) * (exp(abs(x - 1) / low) - exp(k / 10)), x)  # column 1 has the root
rounding = f_low >= 0 and at(f, {theta: high}) <= 0
table_1, K = plan({0: 13/25, 1: 12/25}, {0: 1/2, 1: 1/2}), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

Claim(
    id="N31", source=paper("noise-reduction", "Table 4"), result=REPAIRED,
    words="The printed values of theta for Table 1 are the largest roots, rounded to two places",
    printed=refuted(
        statement=rounding, at={k: 2}, words="at epsilon = 0.2 the root is 0.5327, not 0.54",
        instance=instance(X=[0, 1], K=K, pi=table_1, value={
            1: 78/100, 2: 54/100, 3: 44/100, 4: 39/100, 5: 35/100, 6: 33/100, 7: 31/100,
            8: 29/100, 9: 28/100, 10: 26/100}),
    ),
    corrected=proved(
        words="With 0.53 at epsilon = 0.2 all ten are",
        statement=rounding,
        steps=[step("positive", low > 0, finite()), step("rounding", rounding, finite())],
        data=instance(X=[0, 1], K=K, pi=table_1, value={
            1: 78/100, 2: 53/100, 3: 44/100, 4: 39/100, 5: 35/100, 6: 33/100, 7: 31/100,
            8: 29/100, 9: 28/100, 10: 26/100}),
    ),
    breaks=[
        edit("low = value(k)", "rounding"),
    ],
)
