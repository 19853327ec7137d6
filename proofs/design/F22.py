"""F22: the sum of e^(u |x - c|) over a column c, by the mass that stays and the mass that moves."""
from pfverify.proof.language import *

u, (m, n) = positive("u"), constants("m n")
x, c, w = indices("x", "X"), member("c", "X"), masses("w")
d = abs(x - c)
S, W, stay, near = total(w(x) * exp(d * u), x), total(w(x), x), w(c), indicator(-d)
at_most = S <= stay + (W - stay) * exp(n * u)
at_least = stay + (W - stay) * exp(m * u) <= S

Claim(
    id="F22", source=paper("design", "F22"), result=PROVED,
    words="If no mass of the column moves farther than n, the sum is at most (mass that stays) + "
          "(mass that moves) e^(n u)",
    printed=proved(
        given={"largest": w(x) * (d - n) <= 0},
        example=instance(u=1, n=1, c=1, X=[0, 1], w={0: 1/2, 1: 1/2}),
        statement=at_most and stay <= W,
        steps=[
            step("less than at n", 0 <= w(x) * (exp(n * u) - exp(d * u)), arithmetic("largest")),
            step("what stays", at_most, one_term("less than at n", {x: c})),
            step("a mass", 0 <= w(x), arithmetic()),
            step("a part", stay <= W, one_term("a mass", {x: c})),
        ],
    ),
    tighter=proved(
        words="If what moves moves by m or more, it is at least that with m in place of n",
        given={"spacing": w(x) == 0 or x == c or d >= m},
        example=instance(u=1, m=1, c=1, X=[0, 1], w={0: 1/2, 1: 1/2}), statement=at_least,
        steps=[
            step("elsewhere", implies(x != c, near == 0), arithmetic()),
            step("diagonal", total(w(x) * near, x) == stay * indicator(0),
                 single("elsewhere", x, weight=w(x))),
            step("sum", total(w(x) * near, x) * (1 - exp(m * u)) + W * exp(m * u) <= S,
                 termwise(arithmetic("spacing"), x)),
            step("at least", at_least, arithmetic("diagonal", "sum")),
        ],
    ),
    breaks=[
        edit("drop largest", "less than at n", instance(u=1, n=0, c=0, X=[0, 1], w={1: 1})),
        edit("drop spacing", "sum", instance(u=1, m=2, c=0, X=[0, 1], w={1: 1})),
    ],
)
