"""F11: a private channel is private for distributions, with the same epsilon and delta."""
from pfverify.proof.language import *

E, delta = positive("E"), constants("delta")
(x, z), y = indices("x z", "X"), indices("y", "Y")
P, Q, A, B, gamma = masses("P Q A B gamma")  # A(x, y): the channel; B: an event
p, q = total(P(x) * A(x, y), x), total(Q(z) * A(z, y), z)  # the output's laws
a, a_z = total(A(x, y) * B(y), y), total(A(z, y) * B(y), y)  # the event's chance at x, at z
lifted = total(p * B(y), y) <= E * total(q * B(y), y) + delta

Claim(
    id="F11", source=paper("design", "F11"), result=PROVED,
    words="If a channel is (epsilon, delta)-private for every related pair, it is for every two "
          "distributions with a coupling of related pairs: no factor for their number is needed",
    open="that a flow as in F11b exists if the bound holds (max-flow min-cut), and the law of a "
         "tuple",
    printed=proved(
        given={"DP": gamma(x, z) == 0 or a <= E * a_z + delta,
               "first": total(gamma(x, z), z) == P(x), "second": total(gamma(x, z), x) == Q(z),
               "law": total(P(x), x) == 1},
        example=instance(E=2, delta=0, X=[0, 1], Y=[0, 1], B={0: 1}, P={0: 1}, Q={1: 1},
                         gamma={(0, 1): 1},
                         A={(0, 0): 2/3, (0, 1): 1/3, (1, 0): 1/3, (1, 1): 2/3}),
        statement=lifted,
        steps=[
            step("pairs", total((a - delta) * P(x), x) - E * total(a_z * Q(z), z) <= 0, theorem(
                "F28", {"pi": gamma, "f": maps(x, a - delta), "g": maps(z, -E * a_z),
                        "c": maps(x, z, 0)}, "first", "second", "DP")),
            step("lifted", lifted, arithmetic("pairs", "law")),
        ],
    ),
    breaks=[
        edit("drop DP", "pairs", instance(E=1, delta=0, X=[0, 1], Y=[0, 1], B={0: 1}, P={0: 1},
                                         Q={1: 1}, gamma={(0, 1): 1}, A={(0, 0): 1, (1, 1): 1})),
        edit("drop second", "pairs", instance(E=1, delta=0, X=[0, 1], Y=[0, 1], B={0: 1}, P={0: 1},
                                          Q={1: 1}, gamma={(0, 0): 1},
                                          A={(0, 0): 1, (1, 1): 1})),
    ],
)
