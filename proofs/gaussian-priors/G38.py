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
start = mean(c(z) * (1 - total(w(k) * exp(epsilon - d / b), k)), z)
gain, gain_over = 1 - exp(epsilon - mean_d / b), 1 - exp(epsilon - mean_over / b)
by_25, by_26 = mean(c(z) * gain, z), mean(c(z) * maximum(gain, 0), z)
by_27, by_29 = mean(maximum(gain, 0), z), mean(maximum(gain_over, 0), z)
by_30 = mean(1 - indicator(epsilon * b - mean_over), z)
chain = start <= by_25 and by_25 <= by_26 and by_26 <= by_27 and by_27 <= by_29 and by_29 <= by_30
power, mean_power = epsilon - d / b, epsilon - mean_d / b

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
            step("tangent", exp(mean_power) * (1 + power - mean_power) <= exp(power),
                 arithmetic(hints=[exp(power - mean_power)])),
            step("Jensen", exp(mean_power) * (total(w(k), k) + total(w(k) * power, k)
                 - total(w(k), k) * mean_power) <= total(w(k) * exp(power), k),
                 integrate("tangent", k, weight=w(k))),
            step("mean", total(w(k) * power, k) == epsilon * total(w(k), k) - mean_d / b,
                 identity()),
            step("z (25)", c(z) * (1 - total(w(k) * exp(power), k)) <= c(z) * gain,
                 arithmetic("Jensen", "mean", "weights")),
            step("(25)", start <= by_25, integrate("z (25)", z)),
            step("z (26)", c(z) * gain <= c(z) * maximum(gain, 0), arithmetic()),
            step("(26)", by_25 <= by_26, integrate("z (26)", z)),
            step("z (27)", c(z) * maximum(gain, 0) <= maximum(gain, 0), arithmetic("event")),
            step("(27)", by_26 <= by_27, integrate("z (27)", z)),
            step("triangle", d <= over, arithmetic()),
            step("mean over", mean_d <= mean_over, integrate("triangle", k, weight=w(k))),
            step("z (29)", maximum(gain, 0) <= maximum(gain_over, 0), arithmetic("mean over")),
            step("(29)", by_27 <= by_29, integrate("z (29)", z)),
            step("z (30)", maximum(gain_over, 0) <= 1 - indicator(epsilon * b - mean_over),
                 arithmetic()),
            step("(30)", by_29 <= by_30, integrate("z (30)", z)),
            step("chain", chain, arithmetic("(25)", "(26)", "(27)", "(29)", "(30)")),
        ],
    ),
)
