"""F19: what a move of the data adds to an event's chance, with Laplace noise.

c(u) is the chance of the event when the data is u, with Laplace noise c(u) <= e^(|u-v|/b) c(v).
"""
from pfverify.proof.language import *

b, epsilon = positive("b"), constants("epsilon")
u, v = variables("u v")
c, way = masses("c"), abs(u - v)
saved = maximum(1 - exp(epsilon - way / b), 0)
far = 1 - indicator(epsilon * b - way)  # the move is longer than epsilon b

Claim(
    id="F19", source=paper("design", "F19"), result=PROVED,
    words="An event's chance at u is at most e^epsilon times that at v plus [1 - e^(epsilon - "
          "|u-v|/b)]_+; this is 0 where |u-v| <= epsilon b, and at most 1 and |u-v|/b - epsilon "
          "beyond",
    printed=proved(
        given={"event": c(u) <= 1, "Laplace": c(u) <= exp(way / b) * c(v)},
        example=instance(b=1, epsilon=1, c={"else": 1/2}),
        statement=c(u) - exp(epsilon) * c(v) <= saved and saved <= far
        and saved <= maximum(way / b - epsilon, 0),
        steps=[
            step("pair", c(u) - exp(epsilon) * c(v) <= saved,
                 arithmetic("event", "Laplace", hints=[exp(way / b)])),
            step("long", saved <= far, arithmetic()),
            step("e^u >= 1 + u", saved <= maximum(way / b - epsilon, 0), arithmetic()),
        ],
    ),
    breaks=[
        edit("drop Laplace", "pair", instance(b=1, epsilon=1, c={0: 1}), {u: 0, v: 1/2}),
        edit("drop event", "pair"),
    ],
)
