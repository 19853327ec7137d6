"""F104: (a-1) D_a is convex in the order a, and D_a does not fall.

R_a = e^((a-1) D_a) is the mean under P of e^((a-1) u), u = log(p/q): where it is infinite so it is
for every larger order. g is (a-1) D_a at each of three orders, the first of which may be 1.

Symbols:
A, B, C: three orders
s, t: B is s A + t C
y: an output
u: the log ratio there
v, w, m, x: any numbers
f, g, h: (a-1) D_a at the three orders
"""
from pfverify.proof.language import *

A, B, C, s, t, f, g, h = constants("A B C s t f g h")
y, u, (v, w, m) = draws("y", "P"), functions("u"), variables("v w m")
x = variables("x")
bent = (1 - x) * v**2 * exp(x * v)
low, high = exp((A - 1) * u(y)) * exp(-f), exp((C - 1) * u(y)) * exp(-h)
middle = exp((B - 1) * u(y)) * exp(-s * f - t * h)
convex = g <= s * f + t * h
rises = implies(A == 1, g <= t * h)

Claim(
    id="F104", source=paper("design", "F104"), result=PROVED,
    words="(a-1) D_a is convex in the order a; from the order 1, where it is 0, that says that D_a "
          "does not fall",
    printed=proved(
        given={"parts": 0 <= s and 0 <= t and s + t == 1, "B": B == s * A + t * C,
               "bounds": integrable(exp((A - 1) * u(y)), y) and integrable(exp((B - 1) * u(y)), y)
               and integrable(exp((C - 1) * u(y)), y),
               "f": mean(exp((A - 1) * u(y)), y) == exp(f),
               "g": mean(exp((B - 1) * u(y)), y) == exp(g),
               "h": mean(exp((C - 1) * u(y)), y) == exp(h)},
        example=instance(A=1, B=2, C=3, s=1/2, t=1/2, P=law({0: 1}), u={0: 0}, f=0, g=0,
                         h=0),
        statement=convex and rises,
        steps=[
            step("area", integral(bent, x, 0, 1) == exp(v) - v - 1,
                 antiderivative((1 - x) * v * exp(x * v) + exp(x * v))),
            step("at x", implies(0 <= x <= 1, 0 <= bent), arithmetic()),
            step("areas", 0 <= integral(bent, x, 0, 1), integrate("at x", x, between=(0, 1))),
            step("at 0", 1 + v <= exp(v), arithmetic("area", "areas")),
            step("tangent", exp(m) * (1 + v - m) <= exp(v), arithmetic(use("at 0", {v: v - m}))),
            step("means", exp(s * v + t * w) <= s * exp(v) + t * exp(w), arithmetic(
                use("tangent", {m: s * v + t * w}),
                use("tangent", {m: s * v + t * w, v: w}), "parts")),
            step("terms", mean(middle, y) <= mean(s * low + t * high, y), termwise(arithmetic(
                use("means", {v: (A - 1) * u(y) - f, w: (C - 1) * u(y) - h}), "parts", "B"), y)),
            step("middle", mean(middle, y) == exp(g) * exp(-s * f - t * h), arithmetic("g")),
            step("ends", mean(s * low + t * high, y) == 1, arithmetic("f", "h", "parts")),
            step("convex", convex, arithmetic("terms", "middle", "ends")),
            step("one", implies(A == 1, mean(exp((A - 1) * u(y)), y) == 1), termwise(
                arithmetic(), y)),
            step("rises", rises, arithmetic("convex", "one", "f")),
            step("all", convex and rises, arithmetic("convex", "rises")),
        ],
    ),
    breaks=[edit("drop B", "terms"), edit("drop parts", "terms"), edit("drop f", "ends")],
)
