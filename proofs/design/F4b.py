"""F4b: with Laplace noise the pointwise excess p - E q is largest at atoms."""
from pfverify.proof.language import *

theta, E = positive("theta E")
a, b, c, delta = constants("a b c delta")
(y, t), x = variables("y t"), indices("x", "X")
P, Q = masses("P Q")
k, w = exp(-abs(y - t) / theta), P(x) - E * Q(x)
s, r, fade = exp((y - a) / theta), exp((b - y) / theta), exp((c - y) / theta)
width = s * r - 1 / (s * r)
wa, wb = (r - 1 / r) / width, (s - 1 / s) / width  # sinh((b-y)/theta) / sinh((b-a)/theta), and wb
g = total(w * at(k, {t: x}), x)
ga, gb, gc = at(g, {y: a}), at(g, {y: b}), at(g, {y: c})
inside, right = a <= y and y <= b, c <= y
mean_of_ends = k == wa * at(k, {y: a}) + wb * at(k, {y: b})
weights = implies(inside, wa >= 0 and wb >= 0 and wa + wb <= 1)
before, after = t <= a and inside, b <= t and inside

Claim(
    id="F4b", source=paper("design", "F4b"), result=PROVED,
    words="If p - E q <= delta, delta >= 0, at the ends of an atom-free interval, or at the last "
          "atom, it holds on it: g(y) is a mean of these with weights of sum <= 1",
    printed=proved(
        given={"interval": a < b, "no atom inside": x <= a or b <= x, "last atom": x <= c,
               "delta": delta >= 0, "at a": ga <= delta, "at b": gb <= delta, "at c": gc <= delta},
        example=instance(theta=1, E=1, a=0, b=1, c=1, delta=1, X=[0, 1], P={0: 1}, Q={1: 1}),
        statement=implies(inside, g <= delta) and implies(right, g <= delta),
        steps=[
            step("weights", weights, theorem("F4c", {"x": t}, "interval")),
            step("kernel", implies(before, mean_of_ends) and implies(after, mean_of_ends),
                 theorem("F4c", {"x": t}, "interval")),
            step("g", implies(inside, g == wa * ga + wb * gb), termwise(
                arithmetic("no atom inside", use("kernel", {t: x})), x, weight=w)),
            step("inside", implies(inside, g <= delta),
                 arithmetic("g", "weights", "at a", "at b", "delta")),
            step("tail g", implies(right, g == fade * gc), termwise(
                arithmetic("last atom"), x, weight=w)),
            step("tail", implies(right, g <= delta), arithmetic("tail g", "at c", "delta")),
        ],
    ),
    breaks=[
        edit("drop no atom inside", "g", instance(
            theta=1, E=1, a=0, b=1, c=1, delta=1/2, X=[0, 1/2, 1], P={1/2: 1/2}, Q={}), {y: 1/2}),
        edit("drop delta", "inside", instance(
            theta=1, E=1, a=-1, b=1, c=1, delta=-1/4, X=[-1, 1], P={}, Q={-1: 1/4, 1: 1/4}),
            {y: 0}),
        edit("drop last atom", "tail g", instance(
            theta=1, E=2, a=0, b=1, c=1, delta=1, X=[0, 5], P={0: 0, 5: 9/8}, Q={}), {y: 5}),
    ],
)
