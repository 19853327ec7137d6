"""F4b: with Laplace noise the pointwise excess p - E q is largest at atoms."""
from pfverify.proof.language import *

theta, E = positive("theta E")
a, b, c, delta = constants("a b c delta")
y, x = variables("y"), indices("x", "X")
P, Q = masses("P Q")
k, ka, kb = exp(-abs(y - x) / theta), exp(-abs(a - x) / theta), exp(-abs(b - x) / theta)
s, r = exp((y - a) / theta), exp((b - y) / theta)
width = s * r - 1 / (s * r)
wa, wb = (r - 1 / r) / width, (s - 1 / s) / width
inside, right, w = a <= y and y <= b, c <= y, P(x) - E * Q(x)
kc, fade = exp(-abs(c - x) / theta), exp((c - y) / theta)
g, ga, gb, gc = total(w * k, x), total(w * ka, x), total(w * kb, x), total(w * kc, x)
most = implies(inside, g <= delta) and implies(right, g <= delta)

Claim(
    id="F4b", source=paper("design", "F4b"), result=PROVED,
    words="If p - E q <= delta, delta >= 0, at the ends of an atom-free interval, or at the last "
          "atom, it holds on it: g(y) is a mean of these with weights of sum <= 1",
    printed=proved(
        given={"interval": a < b, "no atom inside": x <= a or b <= x, "last atom": x <= c,
               "delta": delta >= 0, "at a": ga <= delta, "at b": gb <= delta, "at c": gc <= delta},
        example=instance(theta=1, E=1, a=0, b=1, c=1, delta=1, X=[0, 1], P={0: 1}, Q={1: 1}),
        statement=most,
        steps=[
            step("product", s * r == exp((b - a) / theta), identity()),
            step("width", width > 0, arithmetic("interval", "product")),
            step("s, r", implies(inside, s >= 1 and r >= 1), arithmetic()),
            step("inverse", implies(inside, 1 / r <= 1 and 1 / s <= 1), arithmetic("s, r")),
            step("gap", width - (r - 1 / r) - (s - 1 / s)
                 == (s - 1) * (r - 1) * (s * r - 1) / (s * r), identity()),
            step("rest", implies(inside, (s - 1) * (r - 1) * (s * r - 1) / (s * r) >= 0),
                 arithmetic("s, r")),
            step("weights", implies(inside, wa >= 0 and wb >= 0 and wa + wb <= 1),
                 arithmetic("width", "s, r", "inverse", "gap", "rest")),
            step("left", exp((x - y) / theta) == wa * exp((x - a) / theta)
                 + wb * exp((x - b) / theta), identity()),
            step("right", exp((y - x) / theta) == wa * exp((a - x) / theta)
                 + wb * exp((b - x) / theta), identity()),
            step("k left", implies(x <= a and inside, k == exp((x - y) / theta) and ka == exp(
                (x - a) / theta) and kb == exp((x - b) / theta)), arithmetic("interval")),
            step("k right", implies(b <= x and inside, k == exp((y - x) / theta) and ka == exp(
                (a - x) / theta) and kb == exp((b - x) / theta)), arithmetic("interval")),
            step("from left", implies(x <= a and inside, k == wa * ka + wb * kb),
                 arithmetic("k left", "left")),
            step("from right", implies(b <= x and inside, k == wa * ka + wb * kb),
                 arithmetic("k right", "right")),
            step("kernel", implies(inside, k == wa * ka + wb * kb),
                 arithmetic("no atom inside", "from left", "from right")),
            step("g", implies(inside, g == wa * ga + wb * gb), integrate("kernel", x, weight=w)),
            step("inside", implies(inside, g <= delta),
                 arithmetic("g", "weights", "at a", "at b", "delta")),
            step("fading", implies(right, k == fade * kc), arithmetic("last atom")),
            step("tail g", implies(right, g == fade * gc), integrate("fading", x, weight=w)),
            step("tail", implies(right, g <= delta), arithmetic("tail g", "at c", "delta")),
            step("all", most, arithmetic("inside", "tail")),
        ],
    ),
)
