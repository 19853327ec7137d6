"""F108: where p' <= e^s q and D_a(p : p') <= v a, D_a(p : q) <= s + v a.

With Gaussian noise of variance V let p' be what noise makes of the atoms of p moved by at most d:
R of p and p' is at most the average of that of the atoms moved (F95), e^(a (a-1) d'^2/(2V)) for a
distance d' (F96). Those beyond the atoms of q are moved to the last of these, where p' <= e^s
q for some s, or all are moved to q, and s = 0. Integrals likewise.

Symbols:
a: the order
s: at least the log ratio of p' and q
rise: v
i: an output
l: its mass under p'
v: the log ratio of p and p'
t: that of p' and q
"""
from pfverify.proof.language import *

(a, s, rise), i, l, (v, t) = constants("a s rise"), indices("i", "X"), masses("l"), functions("v t")
R = total(l(i) * exp(a * v(i) + (a - 1) * t(i)), i)
bounded = R <= exp((a - 1) * (s + rise * a))

Claim(
    id="F108", source=paper("design", "F108"), result=PROVED,
    words="With p' between p and q the divergence of p from q is at most that of p from p' and the "
          "largest log ratio of p' and q",
    printed=proved(
        given={"order": a > 1, "ratio": t(i) <= s,
               "near": total(l(i) * exp(a * v(i)), i) <= exp((a - 1) * (rise * a))},
        example=instance(a=2, s=0, rise=0, X=[0, 1], l={0: 1/2, 1: 1/2}, v={"else": 0},
                         t={"else": 0}),
        statement=bounded,
        steps=[
            step("less", 0 <= (a - 1) * (s - t(i)), arithmetic("order", "ratio")),
            step("at i", exp(a * v(i) + (a - 1) * t(i)) <= exp((a - 1) * s) * exp(a * v(i)),
                 arithmetic("less")),
            step("sum", R <= exp((a - 1) * s) * total(l(i) * exp(a * v(i)), i),
                 integrate("at i", i, weight=l(i))),
            step("all", bounded, arithmetic("sum", "near")),
        ],
    ),
    breaks=[edit("drop ratio", "less"), edit("drop order", "less"),
            edit("drop near", "all", instance(
                a=2, s=0, rise=0, X=[0, 1], l={0: 1, 1: 1}, v={"else": 0}, t={"else": 0}))],
)
