"""F19 at epsilon = 1, for an event and the other outputs: at most 3/10 of the move over b.

c(u) is the chance of the event when the data is u, 1 - c(u) that of the other outputs; both change
by a factor of at most e^(|u-v|/b), as with Laplace noise.
"""
from pfverify.proof.language import *

b, c = positive("b"), masses("c")
u, v, t = variables("u v t")
E, r, way = exp(1), 3/10, abs(u - v)
p, q, A = c(u), c(v), exp(way / b)

Claim(
    id="F19b", source=paper("design", "F19"), result=PROVED,
    words="An event's chance at u is at most e times that at v plus (3/10) |u-v|/b",
    printed=proved(
        given={"event": c(u) <= 1, "Laplace": p <= A * q and 1 - q <= A * (1 - p)},
        example=instance(b=1, c={"else": 1/2}),
        statement=p - E * q <= r * way / b,
        steps=[
            step("numbers", 271/100 < E and E < 272/100 and exp(5/4) < 3491/1000
                 and exp(12/5) < 1103/100, enclosure()),
            step("line", t < 0 or exp(t) * (1 - r * t) <= r * t + E, arithmetic(
                "numbers", hints=[exp(5/4 - t), exp(5/4), exp(12/5 - t), exp(12/5)])),
            step("way", 0 <= way / b, arithmetic()),
            step("pair", p - E * q <= r * way / b, arithmetic(
                "numbers", "way", use("line", {t: way / b}), "event", use("event", {u: v}),
                "Laplace")),
        ],
    ),
    breaks=[edit("drop Laplace", "pair", instance(b=1, c={0: 1}), {u: 0, v: 1})],
)
