"""F102: a test of Neyman and Pearson has the errors of some divergence; bounds at corners suffice.

Such a test rejects P where q > E p, keeps it where q < E p, and rejects with one chance where both
are equal. For every a in [0, 1] some E and some chance give it the type I error a, or E grows
beyond all bounds and a is 0 (open: that is the quantile of q/p under P). Between two corners of
lines below G the line 1 - G - E a is highest at one of them.

Symbols:
E, A, B: a place, and two corners around it
y: an output
p, q: densities under the two secrets
T: the chance that the test rejects
most: a bound of both densities
a: its type I error
l, m: lines below G have these heights at the corners
top: a number that is at least 1 - l - A a and 1 - m - B a
"""
from pfverify.proof.language import *

E, A, B, most, a, l, m, top = constants("E A B most a l m top")
y, (p, q, T) = draws("y", "S"), masses("p q T")
G = mean(maximum(q(y) - E * p(y), 0), y)
b = 1 - mean(T(y) * q(y), y)

Claim(
    id="F102", source=paper("design", "F102"), result=PROVED,
    words="A test that rejects where q > E p and keeps where q < E p has the type II error 1 - "
          "G(E) - E a, a its type I error; which is at most the larger of 1 - l - A a and 1 - m - "
          "B a, where G is above the line from l at A to m at B",
    printed=proved(
        given={"T": T(y) <= 1, "bounds": p(y) <= most and q(y) <= most,
               "rejects": implies(q(y) > E * p(y), T(y) == 1),
               "keeps": implies(q(y) < E * p(y), T(y) == 0),
               "a": mean(T(y) * p(y), y) == a,
               "between": A < B and A <= E and E <= B,
               "line": (B - E) * l + (E - A) * m <= (B - A) * G,
               "top": 1 - l - A * a <= top and 1 - m - B * a <= top},
        example=instance(E=1, A=0, B=2, most=2, S=law({0: 1/2, 1: 1/2}), p={0: 2},
                         q={0: 1, 1: 1}, T={1: 1}, a=0, l=1/2, m=1/2, top=1/2),
        statement=b == 1 - G - E * a and b <= top,
        steps=[
            step("terms", mean(T(y) * q(y) - E * (T(y) * p(y)), y) == G,
                 termwise(arithmetic("T", "rejects", "keeps"), y)),
            step("errors", b == 1 - G - E * a, arithmetic("terms", "a")),
            step("corner", b <= top, arithmetic("errors", "between", "line", "top")),
            step("all", b == 1 - G - E * a and b <= top, arithmetic("errors", "corner")),
        ],
    ),
    breaks=[
        edit("drop rejects", "terms"), edit("drop keeps", "terms"), edit("drop a", "errors"),
        edit("drop line", "corner"), edit("drop top", "corner"),
    ],
)
