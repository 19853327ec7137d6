"""F52: cosh(x) e^(-x^2/2) falls from |u - w|/2 to (u + w)/2, which bounds what two odds make.

Symbols:
u, w: two numbers >= 0
v: any number
"""
from pfverify.proof.language import *

(u, w), v = constants("u w"), variables("v")
c, s, low, high = exp(u), exp(w), abs(u - w) / 2, (u + w) / 2
bell = (exp(v) + exp(-v)) * exp(-v**2 / 2)
gap = v * (exp(v) + exp(-v)) - (exp(v) - exp(-v))

Claim(
    id="F52b", source=paper("design", "F52"), result=PROVED,
    words="For u, w >= 0 the square of (1 + e^(u + w))/(e^u + e^w) is at most e^(u w)",
    printed=proved(
        given={"u": 0 <= u, "w": 0 <= w}, example=instance(u=1, w=2),
        statement=(1 + c * s)**2 <= exp(u * w) * (c + s)**2,
        steps=[
            step("at |v|", 0 <= at(gap, {v: abs(v)}), theorem("F52", {"x": abs(v)})),
            step("gap", implies(0 <= v, 0 <= gap), arithmetic("at |v|")),
            step("inside", implies(low <= v and v <= high, 0 <= v), arithmetic()),
            step("falls", implies(low <= v and v <= high, 0 <= gap * exp(-v**2 / 2)),
                 arithmetic("gap", "inside", hints=[exp(-v**2 / 2)])),
            step("area", integral(gap * exp(-v**2 / 2), v, low, high)
                 == at(bell, {v: low}) - at(bell, {v: high}), antiderivative(-bell)),
            step("ends", low <= high, arithmetic("u", "w")),
            step("sum", 0 <= integral(gap * exp(-v**2 / 2), v, low, high),
                 integrate("falls", v, using=["ends"], between=(low, high))),
            step("even", at(bell, {v: low}) == at(bell, {v: (u - w) / 2}), arithmetic()),
            step("drop", at(bell, {v: high}) <= at(bell, {v: (u - w) / 2}),
                 arithmetic("area", "sum", "even")),
            step("angle", 1 + c * s <= exp(u * w / 2) * (c + s),
                 arithmetic("drop", hints=[exp(high + high**2 / 2)])),
            step("squares", (1 + c * s)**2 <= exp(u * w) * (c + s)**2,
                 arithmetic("angle", hints=[c, s])),
        ],
    ),
    breaks=[edit("drop u", "ends", instance(u=-1, w=1))],
)
