"""F63: an excess a u + C + c/u that is <= 0 at both ends is so between them, under conditions.

Its slope is a - c/u^2: under the first four it is nowhere above what it is at one of the ends.
Under the fifth it is at most C - 2 sqrt(a c) <= 0; under the last no term of it is > 0.

Symbols:
u: where the excess is looked at
t: the other end of the piece
a, C, c: what the excess is made of
"""
from pfverify.proof.language import *

t, (a, C, c), u = positive("t"), constants("a C c"), variables("u")
g, at_1, at_t, inside = a * u + C + c / u, a + C + c, a * t + C + c / t, t <= u and u <= 1
top, bend = a < 0 and C**2 <= 4 * a * c, c <= a or t**2 * a <= c
none = a <= 0 and C <= 0 and c <= 0
kept = implies(inside, g <= 0)

Claim(
    id="F63c", source=paper("design", "F63"), result=PROVED,
    words="If a u + C + c/u is at most 0 at u = 1 and at u = t > 0, it is so between them where a "
          "or c is >= 0, or c <= a, or c >= t^2 a, or a < 0 and C^2 <= 4 a c, or a, C and c are "
          "<= 0",
    printed=proved(
        given={"at 1": at_1 <= 0, "at t": at_t <= 0,
               "rule": a >= 0 or c >= 0 or bend or top or none},
        example=[instance(t=1/2, a=1, C=-4, c=1), instance(t=1/2, a=-1, C=1, c=-1)],
        statement=kept,
        steps=[
            step("from 1", implies(inside, g - at_1 == (1 - u) * (c - a * u) / u),
                 arithmetic()),
            step("from t", implies(inside, g - at_t == (u - t) * (a * u * t - c) / (u * t)),
                 arithmetic()),
            step("below 1", implies(inside and c <= a * u, g <= 0), arithmetic("from 1", "at 1")),
            step("below t", implies(inside and a * u * t <= c, g <= 0), arithmetic(
                "from t", "at t")),
            step("square", 4 * a * (a * u**2 + C * u + c) == (2 * a * u + C) ** 2 + 4 * a * c
                 - C**2,
                 identity()),
            step("no more", implies(top, a * u**2 + C * u + c <= 0), arithmetic("square")),
            step("times u", implies(inside, g * u == a * u**2 + C * u + c), arithmetic()),
            step("top", implies(inside and top, g <= 0), arithmetic("no more", "times u")),
            step("none", implies(inside and none, g <= 0), arithmetic()),
            step("all", kept, arithmetic("rule", "below 1", "below t", "top", "none")),
        ],
    ),
    breaks=[
        edit("drop at 1", "below 1"), edit("drop at t", "below t"), edit("drop rule", "all"),
    ],
)
