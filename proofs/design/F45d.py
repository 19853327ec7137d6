"""F45: to the right of all atoms cells have one ratio, so that to merge them changes nothing."""
from pfverify.proof.language import *

(theta, E), c = positive("theta E"), constants("c")
y, x, (i, j), (P, Q, s) = variables("y"), indices("x", "X"), indices("i j", "I"), masses("P Q s")
k = exp(-abs(y - x) / theta)
p, q = total(P(x) * k, x), total(Q(x) * k, x)
p_c, q_c, fade = at(p, {y: c}), at(q, {y: c}), exp((c - y) / theta)
p_i, q_i = p_c * s(i), q_c * s(i)  # s(i): the integral over the cell of fade, or a sum of it
excess, of_all = total(maximum(p_i - E * q_i, 0), i), total(p_i - E * q_i, i)
at_c = maximum(p_c - E * q_c, 0)
same_ratio = implies(c <= y, p == fade * p_c and q == fade * q_c)
merged = excess == maximum(of_all, 0) and implies(of_all <= 0, p_i <= E * q_i)

Claim(
    id="F45d", source=paper("design", "F45"), result=PROVED,
    words="Beyond the last atom both densities are multiples of e^(-y/theta), and the excess p - E "
          "q of finitely many cells there is that of the cells taken as one; p <= E q holds for "
          "each of them if for all together (and mirrored)",
    printed=proved(
        given={"last atom": x <= c},
        example=instance(theta=1, E=2, c=1, X=[0, 1], I=[0, 1], P={0: 1}, Q={1: 1},
                         s={0: 1/2, 1: 1/2}),
        statement=same_ratio and merged,
        steps=[
            step("k", implies(c <= y, k == fade * at(k, {y: c})), arithmetic("last atom")),
            step("p", implies(c <= y, p == fade * p_c), integrate("k", x, weight=P(x))),
            step("q", implies(c <= y, q == fade * q_c), integrate("k", x, weight=Q(x))),
            step("whole", of_all == (p_c - E * q_c) * total(s(i), i), identity()),
            step("s", 0 <= s(i), arithmetic()),
            step("size", 0 <= total(s(i), i), termwise(arithmetic(), i)),
            step("part", s(j) <= total(s(i), i), one_term("s", {i: j})),
            step("one", maximum(p_i - E * q_i, 0) == at_c * s(i), arithmetic("s")),
            step("excess", excess == at_c * total(s(i), i), integrate("one", i)),
            step("merged", excess == maximum(of_all, 0), arithmetic("excess", "whole", "size")),
            step("each", implies(of_all <= 0, p_i <= E * q_i), arithmetic(
                "whole", use("part", {j: i}), "s")),
            step("all", same_ratio and merged, arithmetic("p", "q", "merged", "each")),
        ],
    ),
    meaning=[total(P(x), x) == 1, total(Q(x), x) == 1],
    breaks=[
        edit("drop last atom", "k", instance(
            theta=1, E=2, c=0, X=[1], I=[0], P={1: 1}, Q={1: 1}, s={0: 1}), {y: 1, i: 0}),
        edit("q_i = q_c", "whole"),
    ],
)
