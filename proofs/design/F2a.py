"""F2: what is made of one release and of another one, which are private, is private.

f(v) and g(v) are the chances of an event moved by v, or the densities at v, from two priors; N is
any law of further noise, which is added with the chance 1 - r. Noise of a larger scale is made so
of that of a smaller one (F2), noise of the same scale with r = 1.

Symbols:
E: e^epsilon
delta: the delta of the bound
r: the chance that nothing is added
c: a bound of f and g
y: how far the event is moved
v: any number
n: further noise
f, g: chances of the event, moved, under the two secrets
"""
from pfverify.proof.language import *

E, (delta, r, y, c) = positive("E"), constants("delta r y c")
v, n, (f, g) = variables("v"), draws("n", "N"), functions("f g")
mix_f = r * f(y) + (1 - r) * mean(f(y - n), n)
mix_g = r * g(y) + (1 - r) * mean(g(y - n), n)

Claim(
    id="F2a", source=paper("design", "F2"), result=PROVED,
    words="A bound f <= E g + delta of all shifts holds of r f(y) + (1 - r) times the mean of f(y "
          "- n) over any further noise n, and the same of g, for r from 0 to 1",
    printed=proved(
        given={"share": 0 <= r <= 1, "bounds": abs(f(v)) <= c and abs(g(v)) <= c,
               "private": f(v) <= E * g(v) + delta},
        example=instance(r=1/2, E=2, delta=0, y=0, c=0, N=law({0: 1}), f={"else": 0},
                         g={"else": 0}),
        statement=mix_f <= E * mix_g + delta,
        steps=[
            step("mixture", mix_f <= E * mix_g + delta, termwise(arithmetic(
                "share", use("private", {v: y}), use("private", {v: y - n})), n)),
        ],
    ),
    breaks=[
        edit("drop share", "mixture"), edit("drop private", "mixture"),
    ],
)
