"""Table 1, independent inputs: the epsilons and the deltas of two mechanisms add up.

p and q are the laws of A_0's output for two distributions (what A_0# makes of these), r and s are
those of A_1's; E and F are e^epsilon_0 and e^epsilon_1, eta is delta_1.
"""
from pfverify.proof.language import *

(E, F), (delta, eta) = positive("E F"), constants("delta eta")
y, w = indices("y", "Y"), indices("w", "W")
p, q, r, s = masses("p q r s")
over_p, over_r = maximum(p(y) - E * q(y), 0), maximum(r(w) - F * s(w), 0)
both = p(y) * r(w) - E * F * q(y) * s(w)
row, R = total(maximum(both, 0), w), total(r(w) * indicator(both), w)
S = total(s(w) * indicator(both), w)
split = p(y) * R <= E * F * q(y) * S + over_p + p(y) * eta

Claim(
    id="D09", source=paper("distribution-privacy", "Table 1"), result=PROVED,
    words="If A_b is (epsilon_b, delta_b)-DistP, the pair of their outputs on independent inputs "
          "is (epsilon_0 + epsilon_1, delta_0 + delta_1)-DistP",
    printed=proved(
        given={"A_0": total(over_p, y) <= delta, "A_1": total(over_r, w) <= eta,
               "p": total(p(y), y) == 1, "r": total(r(w), w) == 1},
        example=instance(E=3, F=1, delta=0, eta=1/2, Y=[0, 1], W=[0, 1], p={0: 3/4, 1: 1/4},
                         q={0: 1/4, 1: 3/4}, r={0: 3/4, 1: 1/4}, s={0: 1/4, 1: 3/4}),
        statement=total(row, y) <= delta + eta,
        steps=[
            step("close", R <= F * S + total(over_r, w), termwise(arithmetic(), w)),
            step("R", R <= total(r(w), w), termwise(arithmetic(), w)),
            step("S", 0 <= S, termwise(arithmetic(), w)),
            step("eta", 0 <= total(over_r, w), termwise(arithmetic(), w)),
            step("over", 0 <= over_p and p(y) <= E * q(y) + over_p, arithmetic()),
            step("large", implies(1 <= F * S, split), arithmetic("R", "eta", "over", "A_1", "r")),
            step("small", implies(F * S <= 1, split), arithmetic("close", "S", "over", "A_1")),
            step("row", row == p(y) * R - E * F * q(y) * S, termwise(arithmetic(), w)),
            step("each y", row <= over_p + p(y) * eta, arithmetic("large", "small", "row")),
            step("sum", total(row, y) <= total(over_p + p(y) * eta, y), integrate("each y", y)),
            step("composed", total(row, y) <= delta + eta, arithmetic("sum", "A_0", "p")),
        ],
    ),
    breaks=[
        edit("drop A_1", "large"), edit("drop A_0", "composed", instance(
            E=1, F=3, delta=0, eta=0, Y=[0, 1], W=[0, 1], p={0: 3/4, 1: 1/4}, q={0: 1/4, 1: 3/4},
            r={0: 3/4, 1: 1/4}, s={0: 1/4, 1: 3/4})),
        edit("both = p(y) * r(w) - E * q(y) * s(w)", "row", instance(
            E=3, F=3, delta=0, eta=0, Y=[0, 1], W=[0, 1], p={0: 3/4, 1: 1/4}, q={0: 1/4, 1: 3/4},
            r={0: 3/4, 1: 1/4}, s={0: 1/4, 1: 3/4})),
    ],
    meaning=[E >= 1, F >= 1, total(q(y), y) == 1, total(s(w), w) == 1],
)
