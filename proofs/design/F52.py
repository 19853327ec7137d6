"""F52: sinh x <= x cosh x, so that cosh x e^(-x^2/2) falls: what bounds one step of a chain.

Symbols:
x: a number
v: any number
"""
from pfverify.proof.language import *

x, v = constants("x"), variables("v")
slope, gap = exp(v) - exp(-v), v * (exp(v) + exp(-v)) - (exp(v) - exp(-v))

Claim(
    id="F52", source=paper("design", "F52"), result=PROVED,
    words="The hyperbolic tangent of x >= 0 is at most x: e^x - e^-x <= x (e^x + e^-x)",
    printed=proved(
        given={"x": 0 <= x}, example=instance(x=1),
        statement=0 <= at(gap, {v: x}),
        steps=[
            step("grows", implies(0 <= v and v <= x, 0 <= v * slope),
                 arithmetic(hints=[exp(v), exp(-v)])),
            step("area", integral(v * slope, v, 0, x) == at(gap, {v: x}), antiderivative(gap)),
            step("sum", 0 <= integral(v * slope, v, 0, x),
                 integrate("grows", v, using=["x"], between=(0, x))),
            step("all", 0 <= at(gap, {v: x}), arithmetic("area", "sum")),
        ],
    ),
    breaks=[edit("drop x", "sum", instance(x=-1))],
)
