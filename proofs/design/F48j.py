"""F48: with discrete Gaussian noise g = p - E q changes its sign once if P - E Q does so.

c(x) is P - E Q at an atom: not negative before s, not positive after it, and of either sign at s.
Of the other sign take -c. T is g times what is positive.

Symbols:
w: the variance
s: a number, where the sign of c changes
y, z: outputs
x: an atom
c: P - E Q
"""
from pfverify.proof.language import *

w, s, (y, z) = positive("w"), constants("s"), variables("y z")
x, c = indices("x", "X"), functions("c")
g = total(c(x) * exp(-(y - x)**2 / (2 * w)), x)
falls = total(c(x) * exp(-x**2 / (2 * w)) * exp(y * (x - s) / w), x)
g_z, falls_z, factor = at(g, {y: z}), at(falls, {y: z}), exp((2 * y * s - y**2) / (2 * w))

Claim(
    id="F48j", source=paper("design", "F48"), result=PROVED,
    words="If P - E Q is not negative at the atoms before a place and not positive at those after "
          "it, whatever it is at the place, then from an output with p <= E q on all have that: "
          "g = p - E q changes its sign at most once",
    printed=proved(
        given={"signs": implies(x < s, 0 <= c(x)) and implies(s < x, c(x) <= 0)},
        example=instance(w=1, s=1, X=[0, 1, 2], c={0: 1/2, 1: 1/4, 2: -1}),
        statement=implies(y <= z and g <= 0, g_z <= 0),
        steps=[
            step("powers", implies(y <= z and s <= x, y * (x - s) <= z * (x - s))
                 and implies(y <= z and x <= s, z * (x - s) <= y * (x - s)), arithmetic()),
            step("terms", implies(y <= z, c(x) * exp(z * (x - s) / w) <= c(x) * exp(
                y * (x - s) / w)), arithmetic("powers", "signs")),
            step("falls", implies(y <= z, falls_z <= falls), termwise(
                arithmetic("terms"), x, weight=exp(-x**2 / (2 * w)))),
            step("g", g == factor * falls, termwise(identity(), x)),
            step("all", implies(y <= z and g <= 0, g_z <= 0), arithmetic(
                "falls", "g", use("g", {y: z}))),
        ],
    ),
    breaks=[edit("drop signs", "terms")],
)
