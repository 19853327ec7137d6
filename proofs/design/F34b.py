"""F34: what is needed to hide which of two laws on two values a summand has.

The summand is 0 or h, it is h with chance p under the one law and q under the other; r, drawn from
Rest, is the other summand, of any law with bounded support.
"""
from pfverify.proof.language import *

h, b, E = positive("h b E")
(p, q, R), y = constants("p q R"), variables("y")
r = draws("r", "Rest")
A = mean(exp(-abs(y - r) / b) / (2 * b), r)
B = at(A, {y: y - h})
P, Q, T = (1 - p) * A + p * B, (1 - q) * A + q * B, exp(h / b)
private = P <= E * Q and Q <= E * P
d = abs(p - q) - (E - 1) * minimum(p, q, 1 - p, 1 - q)
probabilities = 0 <= p and p <= 1 and 0 <= q and q <= 1 and E >= 1
fits, tail = (T - 1) * d <= E - 1, exp(-(2 * R + h) / b) / (2 * b)
left, right = {y: -R}, {y: h + R}

Claim(
    id="F34b", source=paper("design", "F34"), result=PROVED,
    words="If the other summand is at most R in size, both orders at -R and at h + R give "
          "(e^(h/b) - 1) d <= e^epsilon - 1, where d = |p - q| - (e^epsilon - 1) min(p, q, 1-p, "
          "1-q): what F34 asks for is necessary",
    printed=proved(
        given={"probabilities": probabilities, "bounded": abs(r) <= R},
        example=instance(h=1, b="1/log(2)", E=2, p=0, q=1/2, R=0, Rest=law({0: 1})),
        statement=implies(at(private, left) and at(private, right), fits), steps=[
            step("left", at(A, left) == T * at(B, left), termwise(arithmetic("bounded"), r)),
            step("right", at(B, right) == T * at(A, right), termwise(arithmetic("bounded"), r)),
            step("B > 0", tail <= at(B, left), termwise(arithmetic("bounded"), r)),
            step("A > 0", tail <= at(A, right), termwise(arithmetic("bounded"), r)),
            step("all", implies(at(private, left) and at(private, right), fits), arithmetic(
                "left", "right", "B > 0", "A > 0", "probabilities")),
        ],
    ),
    meaning=[E > 1],
    breaks=[
        edit("drop bounded", "left", instance(
            h=1, b=1, E=2, p=0, q=1/2, R=0, Rest=law({-5: 1}))),
        edit("d = abs(p - q)", "all", instance(
            h=1, b="1/log(5/2)", E=2, p=1/5, q=9/10, R=0, Rest=law({0: 1}))),
    ],
)
