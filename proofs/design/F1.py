"""F1: with Laplace noise the ratio of releases is extremal at the atoms."""
from pfverify.proof.language import *

theta, E = positive("theta E")
a, b, c = constants("a b c")
y, x = variables("y"), indices("x", "X")
P, Q = masses("P Q")
k, ka, kb = exp(-abs(y - x) / theta), exp(-abs(a - x) / theta), exp(-abs(b - x) / theta)
width = exp((b - a) / theta) - exp((a - b) / theta)
wa = (exp((b - y) / theta) - exp((y - b) / theta)) / width
wb = (exp((y - a) / theta) - exp((a - y) / theta)) / width
inside = a <= y and y <= b
p, pa, pb = total(P(x) * k, x), total(P(x) * ka, x), total(P(x) * kb, x)
q, qa, qb = total(Q(x) * k, x), total(Q(x) * ka, x), total(Q(x) * kb, x)
kc, right = exp(-abs(c - x) / theta), c <= y
pc, qc, fade = total(P(x) * kc, x), total(Q(x) * kc, x), exp((c - y) / theta)
left_side = exp((x - y) / theta) == wa * exp((x - a) / theta) + wb * exp((x - b) / theta)
right_side = exp((y - x) / theta) == wa * exp((a - x) / theta) + wb * exp((b - x) / theta)

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
            step("width", width > 0, arithmetic("interval")),
            step("left", left_side, identity()),
            step("right", right_side, identity()),
            step("weights", implies(inside, wa >= 0 and wb >= 0),
                 arithmetic("interval", "width")),
            step("k left", implies(x <= a and inside, k == exp((x - y) / theta) and ka == exp(
                (x - a) / theta) and kb == exp((x - b) / theta)), arithmetic("interval")),
            step("k right", implies(b <= x and inside, k == exp((y - x) / theta) and ka == exp(
                (a - x) / theta) and kb == exp((b - x) / theta)), arithmetic("interval")),
            step("kernel left", implies(x <= a and inside, k == wa * ka + wb * kb),
                 arithmetic("k left", "left")),
            step("kernel right", implies(b <= x and inside, k == wa * ka + wb * kb),
                 arithmetic("k right", "right")),
            step("kernel", implies(inside, k == wa * ka + wb * kb),
                 arithmetic("no atom inside", "kernel left", "kernel right")),
            step("p in", implies(inside, p == wa * pa + wb * pb),
                 integrate("kernel", x, weight=P(x))),
            step("q in", implies(inside, q == wa * qa + wb * qb),
                 integrate("kernel", x, weight=Q(x))),
            step("inside", implies(inside, p <= E * q),
                 arithmetic("p in", "q in", "weights", "at a", "at b")),
            step("fading", implies(right, k == fade * kc), arithmetic("last atom")),
            step("p tail", implies(right, p == fade * pc), integrate("fading", x, weight=P(x))),
            step("q tail", implies(right, q == fade * qc), integrate("fading", x, weight=Q(x))),
            step("tail", implies(right, p <= E * q), arithmetic("p tail", "q tail", "at c")),
            step("all", implies(inside, p <= E * q) and implies(right, p <= E * q),
                 arithmetic("inside", "tail")),
        ],
    ),
)
