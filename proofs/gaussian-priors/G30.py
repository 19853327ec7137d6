"""(17), (18): the chain of bounds that ends at the probability of a long move.

P is any law of the data x, n the noise, the output x + n. At T(x) the Laplace density of an output
is e^(-(|x+n-T(x)| - |n|)/b) times that at x: so Q(B) is a mean over the same n.
"""
from pfverify.proof.language import *

(b, epsilon), v = positive("b epsilon"), variables("v")
x, n = draws("x", "P"), draws("n", "noise")
B, T = masses("B"), functions("T")  # B(v): the chance that v is counted
E, gap, here = exp(epsilon), abs(x - T(x)), B(x + n)
shift = exp(-(abs(x + n - T(x)) - abs(n)) / b)
inner, saved = mean(here, n), 1 - exp(epsilon - gap / b)
A = 1 - indicator(epsilon * b - gap)  # |x - T(x)| > epsilon b
excess, row = mean(here, n, x) - E * mean(here * shift, n, x), mean(here * (1 - E * shift), n)
bound_17, bound_18 = mean(A * saved * inner, x), mean(A * saved, x)
chain = excess <= bound_17 and bound_17 <= bound_18 and bound_18 <= mean(A, x)

Claim(
    id="G30", source=paper("gaussian-priors", "(17), (18)"), result=PROVED,
    words="P(B) - e^epsilon Q(B) is at most the mean of 1 - e^(epsilon - |x-T(x)|/b) over the "
          "moves longer than epsilon b, and so at most the probability of such a move",
    printed=proved(
        given={"event": B(v) <= 1, "Q(B) at x": integrable(here * shift, n),
               "Q(B)": integrable(here * shift, n, x)},
        example=instance(b=1, epsilon=1, P=law({0: 1/2, 1: 1/2}), T={0: 3, 1: 1},
                         noise=law({-1: 1/2, 1: 1/2}), B={"else": 1/2}),
        statement=excess == mean(row, x) and chain,
        steps=[
            step("equal", excess == mean(row, x), identity()),
            step("row", row <= saved * inner, termwise(arithmetic(), n, weight=E * here)),
            step("inner", 0 <= inner, termwise(arithmetic(), n)),
            step("noise", inner <= 1, termwise(arithmetic(use("event", {v: x + n})), n)),
            step("over b", saved <= 1 and iff(gap <= epsilon * b, saved <= 0), arithmetic()),
            step("(17)", excess <= bound_17, termwise(arithmetic("row", "inner", "over b"), x)),
            step("(18)", bound_17 <= bound_18, termwise(arithmetic("noise", "over b"), x)),
            step("P(A)", bound_18 <= mean(A, x), termwise(arithmetic("over b"), x)),
        ],
    ),
    breaks=[
        edit("drop event", "equal", instance(
            b=1, epsilon=1, P=law({0: 1}), T={0: 3}, noise=law({0: 1}), B={0: 2})),
    ],
)
