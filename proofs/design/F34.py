"""F34: what hides which of two laws on two values a summand has, whatever the other one is.

The summand is 0 or h, it is h with chance p under the one law and q under the other; r, drawn from
Rest, is the other summand, of any law.
"""
from pfverify.proof.language import *

h, b, E = positive("h b E")
(p, q), y = constants("p q"), variables("y")
r = draws("r", "Rest")
A = mean(exp(-abs(y - r) / b) / (2 * b), r)
B = at(A, {y: y - h})
P, Q, T = (1 - p) * A + p * B, (1 - q) * A + q * B, exp(h / b)
private = P <= E * Q and Q <= E * P
d = abs(p - q) - (E - 1) * minimum(p, q, 1 - p, 1 - q)
probabilities = 0 <= p and p <= 1 and 0 <= q and q <= 1 and E >= 1
fits = (T - 1) * d <= E - 1

Claim(
    id="F34", source=paper("design", "F34"), result=PROVED,
    words="Both orders hold everywhere if (e^(h/b) - 1) d <= e^epsilon - 1, where d = |p - q| - "
          "(e^epsilon - 1) min(p, q, 1-p, 1-q)",
    printed=proved(
        given={"probabilities": probabilities},
        example=instance(h=1, b="1/log(2)", E=2, p=0, q=1/2, Rest=law({0: 1})),
        statement=implies(fits, private),
        steps=[
            step("A", A <= T * B, termwise(arithmetic(), r)),
            step("B", B <= T * A, termwise(arithmetic(), r)),
            step("positive", 0 <= A, termwise(arithmetic(), r)),
            step("both", implies(fits, private), arithmetic(
                "A", "B", "positive", "probabilities")),
        ],
    ),
    meaning=[E > 1],
    breaks=[
        edit("d = abs(p - q) - (E - 1) * maximum(p, q, 1 - p, 1 - q)", "both", instance(
            h=1, b="1/log(8)", E=2, p=0, q=1/2, Rest=law({0: 1})), {y: 1}),
    ],
)
