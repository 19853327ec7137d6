"""F63: where no condition of F63c holds, a u + C + c/u is > 0 strictly between the ends.

Symbols:
t: the other end of the piece
a, C, c: what the excess is made of
"""
from pfverify.proof.language import *

t, (a, C, c) = positive("t"), constants("a C c")
v, inside = sqrt(c / a), t < sqrt(c / a) and sqrt(c / a) < 1
bend, none = c <= a or t**2 * a <= c, a <= 0 and C <= 0 and c <= 0
rule = a >= 0 or c >= 0 or bend or a < 0 and C**2 <= 4 * a * c or none
other = a < 0 and a < c and c < t**2 * a and C > 0 and C**2 > 4 * a * c
exceeds = inside and a * v + C + c / v > 0

Claim(
    id="F63g", source=paper("design", "F63"), result=PROVED,
    words="Of a, C, c and t > 0 a condition of F63c holds, or a < c < t^2 a, C > 0 and "
          "C^2 > 4 a c; then a u + C + c/u > 0 at u = sqrt(c/a), strictly between t and 1",
    printed=proved(
        example=instance(t=1/4, a=-1, C=2, c=-1/4),
        statement=(rule or other) and implies(other, exceeds),
        steps=[
            step("cases", rule or other, arithmetic()),
            step("ratio", implies(other, c / a > 0 and t**2 < c / a and c / a < 1), arithmetic()),
            step("root", implies(other, v > 0 and v**2 == c / a), arithmetic("ratio")),
            step("inside", implies(other, inside), arithmetic("ratio", "root")),
            step("c", implies(other, c / v == a * v), arithmetic("root")),
            step("square", implies(other, (2 * a * v) ** 2 == 4 * a * c), arithmetic("root")),
            step("top", implies(other, 2 * a * v + C > 0), arithmetic("square")),
            step("all", (rule or other) and implies(other, exceeds), arithmetic(
                "cases", "inside", "c", "top")),
        ],
    ),
    breaks=[
        edit("other = a < 0 and a < c and C > 0 and C**2 > 4 * a * c", "ratio"),
        edit("other = a < 0 and c < t**2 * a and C > 0 and C**2 > 4 * a * c", "ratio"),
    ],
)
