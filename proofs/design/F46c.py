"""F46: a higher threshold at the end hides more, and so never raises delta.

The number before the threshold is i with the masses p and q, and no row has the masses n and m
(which may be 0). What is at least the threshold stays, the rest is one output with no row.

Symbols:
low, high: two thresholds
t: a threshold
E: e^epsilon
n, m: the masses of no row
i: a number before the threshold
p, q: its masses under the two secrets
"""
from pfverify.proof.language import *

(low, high, t, E), (n, m) = constants("low high t E"), constants("n m")
i, (p, q) = indices("i", "I"), masses("p q")
g = p(i) - E * q(i)
stays = total(maximum(g, 0) * indicator(i - t), i)
hidden = n - E * m + total(g * (1 - indicator(i - t)), i)
excess = stays + maximum(hidden, 0)
between = indicator(i - low) - indicator(i - high)
joined, apart = total(g * between, i), total(maximum(g, 0) * between, i)
excess_high, excess_low = at(excess, {t: high}), at(excess, {t: low})
stays_high, hidden_low = at(stays, {t: high}), at(hidden, {t: low})

Claim(
    id="F46c", source=paper("design", "F46"), result=PROVED,
    words="With the last threshold raised from low to high the excess p - E q of all outputs, "
          "`suppressed` among them, does not rise: what meets delta at a threshold meets it at "
          "every higher one",
    printed=proved(
        given={"higher": low <= high},
        example=instance(low=1, high=2, E=2, n=0, m=1, I=[0, 1, 2], p={0: 1/4, 1: 1/2, 2: 1/4}),
        statement=excess_high <= excess_low,
        steps=[
            step("between", 0 <= between, arithmetic("higher")),
            step("joined", joined <= apart, termwise(arithmetic("between"), i)),
            step("apart", 0 <= apart, termwise(arithmetic("between"), i)),
            step("stays", excess_low == stays_high + apart + maximum(hidden_low, 0), identity()),
            step("hides", excess_high == stays_high + maximum(hidden_low + joined, 0),
                 identity()),
            step("all", excess_high <= excess_low,
                 arithmetic("joined", "apart", "stays", "hides")),
        ],
    ),
    meaning=[0 <= n, 0 <= m, 0 <= E],
    breaks=[edit("drop higher", "between", instance(
        low=1, high=0, E=1, n=0, m=0, I=[0], p={0: 1}, q={0: 0}), {i: 0})],
)
