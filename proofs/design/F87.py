"""F87: the ratio of two rows is the largest where that of their weights is; of a metric at home.

A row is weights divided by their sum, or weights times what depends on the output alone.

Symbols:
v, w: weights of an input and of another one at an output where their ratio is the largest
a, b: weights of the same two at any output
S, T: what the weights of the two inputs are divided by
c, h: what the weights of that output, and of the other, are multiplied by
r: epsilon
d: the distance of the two inputs
f, g: the distances of an output from the one input, and from the other
"""
from pfverify.proof.language import *

v, w, a, b = positive("v w a b")
S, T, c, h = positive("S T c h")
r, d, f, g = constants("r d f g")
rows = implies(a * w <= v * b, a * h / S * (w * c / T) <= v * c / S * (b * h / T))
home = implies(g <= d + f, exp(-r * f) * exp(-r * d) <= exp(-r * g))

Claim(
    id="F87", source=paper("design", "F87"), result=PROVED,
    words="Where the ratio of the weights of two inputs is the largest, there is that of their "
          "rows; by the triangle inequality it is at the place of the one input for weights "
          "e^(-epsilon d)",
    printed=proved(
        given={"epsilon": 0 <= r},
        example=instance(v=1, w=1/2, a=1, b=1, S=2, T=2, c=1, h=1, r=1, d=1, f=1, g=1),
        statement=rows and home,
        steps=[
            step("rows", rows, arithmetic()),
            step("home", home, arithmetic("epsilon")),
            step("all", rows and home, arithmetic("rows", "home")),
        ],
    ),
    breaks=[
        edit("drop epsilon", "home"),
        edit("home = implies(g <= 2 * d + f, exp(-r * f) * exp(-r * d) <= exp(-r * g))", "home"),
    ],
)
