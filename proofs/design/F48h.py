"""F48: with discrete Gaussian noise the last atom with a difference decides its tail.

c(x) and c_n are P - E Q at the atoms; n is the last one where it is not 0, the others are behind.

Symbols:
s: the standard deviation
n: the place of the last atom with a difference
c_n: the difference there
k: an output from which on it decides
y: an output
x: an atom behind it
c: the difference at an atom
"""
from pfverify.proof.language import *

s, (n, c_n, k) = positive("s"), constants("n c_n k")
y, x, c = variables("y"), indices("x", "Behind"), functions("c")
h, h_n = exp(-(y - x)**2 / (2 * s**2)), exp(-(y - n)**2 / (2 * s**2))
others, g = total(abs(c(x)) * h, x), c_n * h_n + total(c(x) * h, x)
outweighed = at(others, {y: k}) < at(abs(c_n) * h_n, {y: k})
decided = implies(k <= y, implies(c_n < 0, g < 0) and implies(0 < c_n, 0 < g))

Claim(
    id="F48h", source=paper("design", "F48"), result=PROVED,
    words="If the difference c_n of the last atom outweighs those behind it at k, sum of |c(x)| "
          "e^(-(k-x)^2/(2 s^2)) < |c_n| e^(-(k-n)^2/(2 s^2)), then p - E q has the sign of c_n at "
          "every y >= k, for discrete Gaussian noise (and mirrored)",
    printed=proved(
        given={"behind": x <= n, "outweighed": outweighed},
        example=[instance(s=1, n=1, c_n=-1, k=1, Behind=[0], c={0: 1}),
                 instance(s=1, n=1, c_n=1, k=1, Behind=[0], c={0: 1})], statement=decided,
        steps=[
            step("squares", implies(k <= y, (y - n)**2 + (k - x)**2 <= (y - x)**2 + (k - n)**2),
                 arithmetic("behind")),
            step("ratio", implies(k <= y, h * at(h_n, {y: k}) <= h_n * at(h, {y: k})), arithmetic(
                "squares")),
            step("others", implies(k <= y, others * at(h_n, {y: k}) <= h_n * at(others, {y: k})),
                 termwise(arithmetic("ratio"), x, weight=abs(c(x)))),
            step("less", implies(k <= y, others < abs(c_n) * h_n),
                 arithmetic("others", "outweighed")),
            step("above", total(c(x) * h, x) <= others, termwise(arithmetic(), x)),
            step("below", -total(c(x) * h, x) <= others, termwise(arithmetic(), x)),
            step("all", decided, arithmetic("less", "above", "below")),
        ],
    ),
    breaks=[
        edit("drop behind", "squares", instance(
            s=1, n=0, c_n=-1, k=0, Behind=[2], c={2: 1}), {y: 3}),
        edit("drop outweighed", "less"),
    ],
)
