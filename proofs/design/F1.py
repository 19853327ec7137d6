"""F1: with Laplace noise the ratio of releases is extremal at the atoms.

Symbols:
theta: the scale
E: e^epsilon
a, b: the ends of the interval
c: the last atom
y: an output
x: an atom
P, Q: masses of two priors
"""
from pfverify.proof.language import *

theta, E = positive("theta E")
a, b, c = constants("a b c")
y, x = variables("y"), indices("x", "X")
P, Q = masses("P Q")
k, ka, kb = exp(-abs(y - x) / theta), exp(-abs(a - x) / theta), exp(-abs(b - x) / theta)
inside = a <= y and y <= b
p, pa, pb = total(P(x) * k, x), total(P(x) * ka, x), total(P(x) * kb, x)
q, qa, qb = total(Q(x) * k, x), total(Q(x) * ka, x), total(Q(x) * kb, x)
kc, right = exp(-abs(c - x) / theta), c <= y
pc, qc = total(P(x) * kc, x), total(Q(x) * kc, x)

Claim(
    id="F1", source=paper("design", "F1"), result=PROVED,
    words="A bound p <= E q at the ends of an atom-free interval, or at the last atom, holds on it",
    printed=proved(
        given={"interval": a < b, "no atom inside": x <= a or b <= x, "last atom": x <= c,
               "at a": pa <= E * qa, "at b": pb <= E * qb, "at c": pc <= E * qc},
        example=instance(theta=1, E=4, a=0, b=1, c=1, X=[0, 1], P={0: 1/2, 1: 1/2},
                         Q={0: 1/4, 1: 3/4}),
        statement=implies(inside, p <= E * q) and implies(right, p <= E * q),
        steps=[
            step("all", implies(inside, p <= E * q) and implies(right, p <= E * q), theorem(
                "F4b", {"delta": 0}, "interval", "no atom inside", "last atom", "at a", "at b",
                "at c")),
        ],
    ),
    meaning=[total(P(x), x) == 1, total(Q(x), x) == 1, E > 1],
    breaks=[
        edit("drop no atom inside", "all", instance(
            theta=1, E=3/2, a=0, b=1, c=1, X=[0, 1/2, 1], P={1/2: 1}, Q={0: 1/2, 1: 1/2}),
            {y: 1/2}),
        edit("drop at a", "all", instance(
            theta=1, E=2, a=0, b=1, c=1, X=[0, 1], P={0: 1}, Q={1: 1}), {y: 0}),
        edit("drop at b", "all", instance(
            theta=1, E=3, a=0, b=1, c=3, X=[0, 1, 3], P={1: 1}, Q={0: 1/10, 3: 9/10}), {y: 1}),
        edit("drop last atom", "all", instance(
            theta=1, E=2, a=0, b=1, c=1, X=[0, 5], P={0: 9/10, 5: 1/10}, Q={0: 1}), {y: 5}),
    ],
)
