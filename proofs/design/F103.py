"""F103: the largest chance of a right guess is a divergence at the odds.

Before an output is seen P has the weight w and Q has 1 - w. A guess says P with the chance T(y).

Symbols:
w: the weight of P
y: an output
p, q: densities under the two secrets
T: the chance that a guess says P
most: a bound of both densities
"""
from pfverify.proof.language import *

w, most = positive("w"), constants("most")
y, (p, q, T) = draws("y", "S"), masses("p q T")
odds = (1 - w) / w
H = mean(maximum(p(y) - odds * q(y), 0), y)
right = w * mean(T(y) * p(y), y) + (1 - w) * (1 - mean(T(y) * q(y), y))
best = 1 - w + w * H

Claim(
    id="F103", source=paper("design", "F103"), result=PROVED,
    words="A guess is right with a chance of at most 1 - w + w H((1 - w)/w), and with that one if "
          "it says P exactly where w p > (1 - w) q",
    printed=proved(
        given={"w": w < 1, "T": T(y) <= 1, "bounds": p(y) <= most and q(y) <= most},
        example=instance(w=1/2, most=2, S=law({0: 1/2, 1: 1/2}), p={0: 2}, q={0: 1, 1: 1},
                         T={0: 1}),
        statement=right <= best,
        steps=[
            step("terms", mean(T(y) * p(y) - odds * (T(y) * q(y)), y) <= H,
                 termwise(arithmetic("T", "w"), y)),
            step("times w", w * mean(T(y) * p(y) - odds * (T(y) * q(y)), y) <= w * H,
                 arithmetic("terms")),
            step("all", right <= best, arithmetic("times w")),
        ],
    ),
    breaks=[edit("drop T", "terms")],
)
