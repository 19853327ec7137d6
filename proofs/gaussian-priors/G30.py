"""(17), (18): the chain of bounds that ends at the probability of a long move.

P is any law of the data x, n the noise, the output x + n. At T(x) the Laplace density of an output
is e^(-(|x+n-T(x)| - |n|)/b) times that at x: so Q(B) is a mean over the same n.
"""
from pfverify.proof.language import *

b, epsilon = positive("b epsilon")
v = variables("v")
x, n = draws("x", "P"), draws("n", "noise")
B, T = masses("B"), functions("T")  # B(v): the chance that v is counted
E, gap, here = exp(epsilon), abs(x - T(x)), B(x + n)
shift = exp(-(abs(x + n - T(x)) - abs(n)) / b)
ratio = exp(epsilon - (abs(x + n - T(x)) - abs(n)) / b)
inner, saved = mean(here, n), 1 - exp(epsilon - gap / b)
A = 1 - indicator(epsilon * b - gap)  # |x - T(x)| > epsilon b
excess, row = mean(here, n, x) - E * mean(here * shift, n, x), mean(here * (1 - ratio), n)
bound_17, bound_18 = mean(A * saved * inner, x), mean(A * saved, x)
same = excess == mean(row, x)
chain = same and excess <= bound_17 and bound_17 <= bound_18 and bound_18 <= mean(A, x)

Claim(
    id="G30", source=paper("gaussian-priors", "(17), (18)"), result=PROVED,
    words="P(B) - e^epsilon Q(B) is at most the mean of 1 - e^(epsilon - |x-T(x)|/b) over the "
          "moves longer than epsilon b, and so at most the probability of such a move",
    printed=proved(
        given={"event": B(v) <= 1, "Q(B) at x": integrable(here * shift, n),
               "Q(B)": integrable(here * shift, n, x)},
        example=instance(b=1, epsilon=1, P=law({0: 1/2, 1: 1/2}), T={0: 3, 1: 1},
                         noise=law({-1: 1/2, 1: 1/2}), B={}),
        statement=chain,
        steps=[
            step("equal", same, identity()),
            step("triangle", exp(-gap / b) <= shift, arithmetic()),
            step("row", row <= saved * inner, integrate("triangle", n, weight=E * here)),
            step("positive", 0 <= here, arithmetic()),
            step("inner", 0 <= inner, integrate("positive", n)),
            step("most", here <= 1, arithmetic(use("event", {v: x + n}))),
            step("noise", inner <= 1, integrate("most", n)),
            step("over b", implies(gap <= epsilon * b, saved <= 0) and implies(
                gap > epsilon * b, 0 <= saved and saved <= 1),
                 arithmetic(hints=[gap / b - epsilon, exp(gap / b - epsilon)])),
            step("short", saved * inner <= A * saved * inner, arithmetic("inner", "over b")),
            step("row in A", row <= A * saved * inner, arithmetic("row", "short")),
            step("(17)", mean(row, x) <= bound_17, integrate("row in A", x)),
            step("inner <= 1", A * saved * inner <= A * saved, arithmetic("noise", "over b")),
            step("(18)", bound_17 <= bound_18, integrate("inner <= 1", x)),
            step("saved <= 1", A * saved <= A, arithmetic("over b")),
            step("P(A)", bound_18 <= mean(A, x), integrate("saved <= 1", x)),
            step("chain", chain, arithmetic("equal", "(17)", "(18)", "P(A)")),
        ],
    ),
    breaks=[edit("drop event", "equal")],
)
