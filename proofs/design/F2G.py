"""F2G: Gaussian noise of a larger variance is that of a smaller one plus independent noise.

f(v) and g(v) are the chances of an event moved by v, or the densities at v, from two priors with
noise of variance s^2; N is the law of the further noise, of variance r^2.

Symbols:
s, r: the standard deviations of the noise and of the noise added to it
E: e^epsilon
delta: the delta of the bound
c: a bound of f and g
x: a value of X
y: how far the event is moved
v, u: any numbers
n: further noise
f, g: chances of the event, moved, under the two secrets
"""
from pfverify.proof.language import *

(s, r, E), (delta, y, c), (v, x, u) = positive("s r E"), constants("delta y c"), variables("v x u")
n, (f, g), t = draws("n", "N"), functions("f g"), sqrt(s**2 + r**2)
added = integral(normal_pdf(v, x, s) * normal_pdf(u, v, r), v, -oo, oo) == normal_pdf(u, x, t)
kept = mean(f(y - n), n) <= E * mean(g(y - n), n) + delta

Claim(
    id="F2G", source=paper("design", "F2G"), result=PROVED,
    words="For r > 0 normal noise of variance t^2 = s^2 + r^2 is normal noise of variance s^2 and "
          "independent normal noise of variance r^2, and further noise keeps every bound f <= E g "
          "+ delta of shifts",
    printed=proved(
        given={"bounds": abs(f(v)) <= c and abs(g(v)) <= c,
               "private at s": f(v) <= E * g(v) + delta},
        example=instance(s=1, r=2, E=2, delta=0, y=0, c=0, N=law({0: 1}), f={"else": 0},
                         g={"else": 0}),
        statement=added and kept,
        steps=[
            step("sum", added, theorem("F41c", {"y": u})),
            step("kept", kept, theorem("F2a", {"r": 0}, "bounds", "private at s")),
            step("all", added and kept, arithmetic("sum", "kept")),
        ],
    ),
    breaks=[edit("drop private at s", "kept"), edit("t = s + r", "sum")],
)
