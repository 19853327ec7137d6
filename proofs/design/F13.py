"""F13: a distribution function does not fall, and grows by P(x) from x - h to x."""
from pfverify.proof.language import *

h = positive("h")
u, v = variables("u v")
k, x = indices("k x", "X")
P = masses("P")
below, one = indicator(u - k), 1 - indicator(-h)
H = total(P(k) * below, k)
grows, stays = implies(u <= v, H <= at(H, {u: v})), implies(u == v, H == at(H, {u: v}))

Claim(
    id="F13", source=paper("design", "F13"), result=PROVED,
    words="The distribution function of P, on letters at least h apart, does not fall, has equal "
          "values at equal numbers, and grows by P(x) from x - h to x",
    printed=proved(
        given={"apart": implies(k != x, abs(k - x) >= h)},
        example=instance(h=1, X=[0, 1, 3], P={0: 1/2, 3: 1/2}),
        statement=grows and stays and difference(H, u, x, h) == P(x),
        steps=[
            step("more", implies(u <= v, below <= at(below, {u: v})), arithmetic()),
            step("grows", grows, integrate("more", k, weight=P(k))),
            step("stays", stays, arithmetic("grows", use("grows", {u: v, v: u}))),
            step("at x", implies(k != x, difference(below, u, x, h) == 0), arithmetic("apart")),
            step("rise", difference(H, u, x, h) == one * P(x), single("at x", k, weight=P(k))),
            step("mass", difference(H, u, x, h) == P(x), arithmetic("rise")),
        ],
    ),
    breaks=[edit("drop apart", "at x", instance(h=1, X=[0, 1/2], P={0: 1/2, 1/2: 1/2}))],
)
