"""F107: where p <= e^s q, R of an order a > 1 is at most e^((a-1) s): D_a is at most s.

So D_a <= rho a from the order s/rho on. Integrals likewise.

Symbols:
a: the order
s: at least the log ratio
i: an output
q: its mass under the second law
v: the log ratio of both masses
"""
from pfverify.proof.language import *

(a, s), i, q, v = constants("a s"), indices("i", "X"), masses("q"), functions("v")
bounded = total(q(i) * exp(a * v(i)), i) <= exp((a - 1) * s)

Claim(
    id="F107", source=paper("design", "F107"), result=PROVED,
    words="The largest log ratio bounds the divergence of every order",
    printed=proved(
        given={"order": a > 1, "ratio": v(i) <= s, "law": total(q(i) * exp(v(i)), i) == 1},
        example=instance(a=2, s=0, X=[0, 1], q={0: 1/2, 1: 1/2}, v={"else": 0}),
        statement=bounded,
        steps=[
            step("less", 0 <= (a - 1) * (s - v(i)), arithmetic("order", "ratio")),
            step("at i", exp(a * v(i)) <= exp((a - 1) * s) * exp(v(i)), arithmetic("less")),
            step("sum", total(q(i) * exp(a * v(i)), i)
                 <= exp((a - 1) * s) * total(q(i) * exp(v(i)), i),
                 integrate("at i", i, weight=q(i))),
            step("all", bounded, arithmetic("sum", "law")),
        ],
    ),
    breaks=[edit("drop ratio", "less"), edit("drop order", "less"),
            edit("drop law", "all", instance(
                a=2, s=0, X=[0, 1], q={0: 1, 1: 1}, v={"else": 0}))],
)
