"""MIX: a coupling of the components of two mixtures, along which they are private (convexity).

Symbols:
E: e^epsilon
i: a component of the one mixture
l: a component of the other
P, Q: weights of the components
pi: a coupling of the weights
f: what a component of the one mixture has at an output, or in an event
g: what a component of the other has there
"""
from pfverify.proof.language import *

E, (i, l) = positive("E"), indices("i l", "K")
P, Q, pi, f, g = masses("P Q pi f g")
p, q = total(f(i) * P(i), i), total(g(l) * Q(l), l)

Claim(
    id="MIX", source=paper("design", "MIX"), result=PROVED,
    words="If f(i) <= E g(l) wherever a coupling of the weights has mass, the mixtures have p <= E "
          "q, of densities at an output as of chances of an event",
    printed=proved(
        given={"rows": total(pi(i, l), l) == P(i), "columns": total(pi(i, l), i) == Q(l),
               "edges": pi(i, l) == 0 or f(i) <= E * g(l)},
        example=instance(E=2, K=[0, 1], P={0: 1/2, 1: 1/2}, Q={0: 1}, f={0: 1, 1: 2}, g={0: 1},
                         pi={(0, 0): 1/2, (1, 0): 1/2}),
        statement=p <= E * q,
        steps=[
            step("plan", p + total(-E * g(l) * Q(l), l) <= 0, theorem("F28", {
                "x": i, "z": l, "X": "K", "f": f, "g": maps(l, -E * g(l)), "c": maps(i, l, 0)},
                "rows", "columns", "edges")),
            step("all", p <= E * q, arithmetic("plan")),
        ],
    ),
    meaning=[total(P(i), i) == 1, total(Q(l), l) == 1],
    breaks=[
        edit("drop edges", "plan", instance(
            E=1, K=[0], P={0: 1}, Q={0: 1}, f={0: 2}, g={0: 1}, pi={(0, 0): 1})),
        edit("drop rows", "plan"), edit("drop columns", "plan"),
    ],
)
