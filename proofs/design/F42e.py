"""F42: the same on a lattice of step h: the ends of a gap with points o, o + h, ..., n inside.

A point counts (1 - t)/(1 + t) for itself, the last one t/(1 + t) for all beyond it (F45e). A gap
without a point counts 0: there T is t.

Symbols:
h: the step of the lattice
theta: the scale
o, n: the first and the last point inside
i, a, k: points inside
low, high: the ends of the gap
v: any number
"""
from pfverify.proof.language import *

(h, theta), v = positive("h theta"), variables("v")
(i, a, k), (o, n) = indices("i a k", "X"), member("o n", "X")
low, high, t, T = o - h, n + h, exp(-h / theta), exp(-(n - o + 2 * h) / theta)
rise, fall = exp((i - low) / theta), exp((high - i) / theta)
width, share, weight = 1 / T - T, (1 - t) / (1 + t), (t - T) / (1 + T) / (1 + t)
of_low, of_high = total((fall - 1 / fall) / width, i), total((rise - 1 / rise) / width, i)
down = -(t * exp((high - v) / theta) + exp((v - high) / theta)) / (1 - t) / width
up = (exp((v - low) / theta) + t * exp((low - v) / theta)) / (1 - t) / width
falls, rises = at(down, {v: n}) - at(down, {v: low}), at(up, {v: n}) - at(up, {v: low})
both = of_low * share == weight and of_high * share == weight

Claim(
    id="F42e", source=paper("design", "F42"), result=PROVED,
    words="With discrete Laplace noise each end of a gap counts (t - T)/((1 + T) (1 + t)) for the "
          "points inside, t = e^(-h/theta) and T = e^(-width/theta)",
    printed=proved(
        given={"points": is_chain([a, k], [o, n], h)}, statement=both,
        example=instance(h=1, theta=1, X=[0, 1], o=0, n=1),
        steps=[
            step("t", t < 1, arithmetic()),
            step("T", T < 1, arithmetic(use("points", {k: n}))),
            step("width", 0 < width, arithmetic("T")),
            step("down", total(difference(down, v, i, h), i) == falls, theorem(
                "F10a", {"f": maps(v, down)}, "points")),
            step("up", total(difference(up, v, i, h), i) == rises, theorem(
                "F10a", {"f": maps(v, up)}, "points")),
            step("low", of_low == total(difference(down, v, i, h), i), termwise(identity(), i)),
            step("high", of_high == total(difference(up, v, i, h), i), termwise(identity(), i)),
            step("in low", of_low == falls, arithmetic("down", "low")),
            step("in high", of_high == rises, arithmetic("up", "high")),
            step("one", of_low * share == weight, integrate("in low", weight=share)),
            step("other", of_high * share == weight, integrate("in high", weight=share)),
        ],
    ),
    breaks=[edit("drop points", "T"), edit("share = 1 - t", "one")],
)
