"""(25)-(27), (29), (30): the bounds after (24), for one component and so one x.

Z is the standardised value, of any law, c(z) the probability of the event given it, k a pair of
components: a total over k is a mean with the weights w of the plan.
"""
from pfverify.proof.language import *

b, epsilon = positive("b epsilon")
z, k = draws("z", "Z"), indices("k", "K")
c, w = masses("c w")
m, s = functions("m s")  # the differences of the means and of the standard deviations
d, over = abs(s(k) * z + m(k)), abs(s(k)) * abs(z) + abs(m(k))  # |x - T(x)|, and more
mean_d, mean_over = total(w(k) * d, k), total(w(k) * over, k)
power, start = epsilon - d / b, mean(c(z) * (1 - total(w(k) * exp(epsilon - d / b), k)), z)
gain, gain_over = 1 - exp(epsilon - mean_d / b), 1 - exp(epsilon - mean_over / b)
by_25, by_26 = mean(c(z) * gain, z), mean(c(z) * maximum(gain, 0), z)
by_27, by_29 = mean(maximum(gain, 0), z), mean(maximum(gain_over, 0), z)
by_30 = mean(1 - indicator(epsilon * b - mean_over), z)
chain = start <= by_25 and by_25 <= by_26 and by_26 <= by_27 and by_27 <= by_29 and by_29 <= by_30

Claim(
    id="G38", source=paper("gaussian-priors", "(25)-(30)"), result=PROVED,
    words="For one x, Jensen (25), the positive part (26), c <= 1 (27), the triangle inequality "
          "(29) and 1 - e^u <= 1 for u < 0 (30) hold; (28) has unbalanced bars, read |s z + m|",
    printed=proved(
        given={"weights": total(w(k), k) == 1, "event": c(z) <= 1},
        example=instance(b=1, epsilon=1, Z=law({-1: 1/2, 1: 1/2}), c={1: 1}, K=[1, 2],
                         w={1: 1/2, 2: 1/2}, m={1: 1, 2: 2}, s={1: 1, 2: -1}),
        statement=chain,
        steps=[
            step("Jensen", exp(total(w(k) * power, k)) <= total(w(k) * exp(power), k),
                 theorem("F21", {"f": maps(k, power)}, "weights")),
            step("(25)", start <= by_25, termwise(arithmetic("Jensen", "weights"), z)),
            step("(26)", by_25 <= by_26, termwise(arithmetic(), z)),
            step("(27)", by_26 <= by_27, termwise(arithmetic("event"), z)),
            step("mean", mean_d <= mean_over, termwise(arithmetic(), k, weight=w(k))),
            step("(29)", by_27 <= by_29, termwise(arithmetic("mean"), z)),
            step("(30)", by_29 <= by_30, termwise(arithmetic(), z)),
        ],
    ),
    breaks=[
        edit("drop event", "(25)", instance(
            b=1, epsilon=1, Z=law({0: 1}), c={0: 2}, K=[1], w={1: 1}, m={1: 2}, s={1: 0})),
        edit("drop weights", "Jensen", instance(
            b=1, epsilon=1, Z=law({0: 1}), c={0: 1}, K=[1], w={1: 1/2}, m={1: 2}, s={1: 0})),
    ],
)
