"""F11: a private channel is private for distributions, with the same epsilon and delta."""
from pfverify.proof.language import *

E, delta = positive("E"), constants("delta")
(x, z), y = indices("x z", "X"), indices("y", "Y")
P, Q, A, B, gamma, R, N = masses("P Q A B gamma R N")  # A(x, y): the channel; B: an event
p, q = total(P(x) * A(x, y), x), total(Q(z) * A(z, y), z)  # the output's laws
a, a_z = total(A(x, y) * B(y), y), total(A(z, y) * B(y), y)  # the event's chance at x, at z
lifted = total(p * B(y), y) <= E * total(q * B(y), y) + delta
P_of_R, Q_of_N = total(P(x) * R(x), x), total(Q(z) * N(z), z)

Claim(
    id="F11", source=paper("design", "F11"), result=PROVED,
    words="If a channel is (epsilon, delta)-private for every related pair, it is for every two "
          "distributions with a coupling of related pairs: no factor for their number is needed",
    open="that there is such a flow if the bound holds (max-flow min-cut), and the law of a tuple",
    printed=proved(
        given={"DP": gamma(x, z) == 0 or a <= E * a_z + delta,
               "first": total(gamma(x, z), z) == P(x), "second": total(gamma(x, z), x) == Q(z),
               "law": total(P(x), x) == 1},
        example=instance(E=2, delta=0, X=[0, 1], Y=[0, 1], B={0: 1}, P={0: 1}, Q={1: 1},
                         gamma={(0, 1): 1},
                         A={(0, 0): 2/3, (0, 1): 1/3, (1, 0): 1/3, (1, 1): 2/3}),
        statement=lifted,
        steps=[
            step("pair", gamma(x, z) * a <= gamma(x, z) * (E * a_z + delta), arithmetic("DP")),
            step("pairs", total(gamma(x, z) * a, x, z)
                 <= total(gamma(x, z) * (E * a_z + delta), x, z), integrate("pair", x, z)),
            step("P", total(gamma(x, z) * a, x, z) == total(P(x) * a, x),
                 integrate("first", x, weight=a)),
            step("Q", total(gamma(x, z) * a_z, x, z) == total(Q(z) * a_z, z),
                 integrate("second", z, weight=a_z)),
            step("one", total(gamma(x, z), x, z) == total(P(x), x), integrate("first", x)),
            step("lifted", lifted, arithmetic("pairs", "P", "Q", "one", "law")),
        ],
    ),
    tighter=proved(
        words="A flow gamma of mass >= 1 - delta along related pairs, at most P out of x and E Q "
              "into z, shows P(R) <= E Q(N) + delta for every set R and its neighbours N",
        given={"out": total(gamma(x, z), z) <= P(x), "in": total(gamma(x, z), x) <= E * Q(z),
               "related": gamma(x, z) == 0 or R(x) <= N(z), "set": R(x) <= 1,
               "flow": total(gamma(x, z), x, z) >= 1 - delta, "law": total(P(x), x) == 1},
        example=instance(E=2, delta=1/2, X=[0, 1], P={0: 1}, Q={0: 1/4, 1: 3/4}, R={0: 1},
                         N={0: 1}, gamma={(0, 0): 1/2}),
        statement=P_of_R <= E * Q_of_N + delta,
        steps=[
            step("left over", (P(x) - total(gamma(x, z), z)) * R(x)
                 <= P(x) - total(gamma(x, z), z), arithmetic("out", "set")),
            step("all left over", total((P(x) - total(gamma(x, z), z)) * R(x), x)
                 <= total(P(x) - total(gamma(x, z), z), x), integrate("left over", x)),
            step("moved", gamma(x, z) * R(x) <= gamma(x, z) * N(z), arithmetic("related")),
            step("all moved", total(gamma(x, z) * R(x), x, z) <= total(gamma(x, z) * N(z), x, z),
                 integrate("moved", x, z)),
            step("into N", total(gamma(x, z) * N(z), x, z) <= E * Q_of_N,
                 integrate("in", z, weight=N(z))),
            step("bound", P_of_R <= E * Q_of_N + delta, arithmetic(
                "all left over", "all moved", "into N", "flow", "law")),
        ],
    ),
    breaks=[
        edit("drop DP", "pair", instance(E=1, delta=0, X=[0, 1], Y=[0, 1], B={0: 1}, P={0: 1},
                                         Q={1: 1}, gamma={(0, 1): 1}, A={(0, 0): 1, (1, 1): 1})),
        edit("drop second", "Q", instance(E=1, delta=0, X=[0, 1], Y=[0, 1], B={0: 1}, P={0: 1},
                                          Q={1: 1}, gamma={(0, 0): 1},
                                          A={(0, 0): 1, (1, 1): 1})),
    ],
)
