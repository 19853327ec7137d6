"""F35: one side of a coupling suffices, for couplings of any laws.

s is drawn from Q; given s, the other value is X(w, s) with w drawn from W, which is any coupling
with the second law Q. P_y and Q_y are 2b times the densities of the releases.
"""
from pfverify.proof.language import *

(b, E), y, X = positive("b E"), variables("y"), functions("X")
s, w = draws("s", "Q"), draws("w", "W")
x = X(w, s)
far, near = exp(-abs(y - x) / b), exp(-abs(y - s) / b)
grow, shrink = mean(exp(abs(x - s) / b), w), mean(exp(-abs(x - s) / b), w)
column, P_y, Q_y = mean(far, w), mean(far, s, w), mean(near, s)

Claim(
    id="F35", source=paper("design", "F35"), result=PROVED,
    words="If for every s the mean of e^(|X - s|/b), given s, is at most e^epsilon, both orders "
          "hold for the releases of X and of s with Laplace noise of scale b",
    printed=proved(
        given={"exists": integrable(exp(abs(x - s) / b), w), "columns": grow <= E},
        example=instance(b=1, E=2, Q=law({0: 1/2, 1: 1/2}), W=law({0: 1/2, 1: 1/2}),
                         X={(0, 0): 0, (1, 0): 0, (0, 1): 1, (1, 1): 0}),
        statement=P_y <= E * Q_y and Q_y <= E * P_y,
        steps=[
            step("above", column <= near * grow, termwise(arithmetic(), w)),
            step("at most", column <= E * near, arithmetic("above", "columns")),
            step("first", P_y <= E * Q_y, integrate("at most", s)),
            step("below", near * shrink <= column, termwise(arithmetic(), w)),
            step("Jensen", 2 / E - grow / E**2 <= shrink, termwise(arithmetic(), w)),
            step("at least", near <= E * column, arithmetic("below", "Jensen", "columns")),
            step("second", Q_y <= E * P_y, integrate("at least", s)),
        ],
    ),
    meaning=[E > 1],
    breaks=[
        edit("drop columns", "at most", instance(
            b=1, E=3/2, Q=law({0: 1}), W=law({0: 1}), X={(0, 0): 1}), {y: 1}),
        edit("drop exists", "columns"),
    ],
)
