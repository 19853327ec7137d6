"""F11: what a flow along related pairs shows, and what a cut of the same value shows of it."""
from pfverify.proof.language import *

E, delta = positive("E"), constants("delta")
x, z = indices("x z", "X")
P, Q, gamma, R, N = masses("P Q gamma R N")  # R, N: 1 on a set and on its neighbours, else 0
flow, P_of_R, Q_of_N = total(gamma(x, z), x, z), total(P(x) * R(x), x), total(Q(z) * N(z), z)
cut = total(P(x) * (1 - R(x)), x) + E * Q_of_N
bound = P_of_R <= E * Q_of_N + delta
half = instance(E=2, delta=1/2, X=[0, 1], P={0: 1}, Q={0: 1/4, 1: 3/4}, R={0: 1}, N={0: 1},
                gamma={(0, 0): 1/2})

Claim(
    id="F11b", source=paper("design", "F11"), result=PROVED,
    words="A flow gamma along related pairs, at most P out of x and E Q into z, shows that P(R) <= "
          "E Q(N) + delta for every set R and its neighbours N, if its mass is at least 1 - delta",
    printed=proved(
        given={"out": total(gamma(x, z), z) <= P(x), "in": total(gamma(x, z), x) <= E * Q(z),
               "set": R(x) <= 1, "related": gamma(x, z) == 0 or R(x) <= N(z),
               "law": total(P(x), x) == 1}, example=half,
        statement=implies(flow >= 1 - delta, bound),
        steps=[
            step("left over", P_of_R - total(gamma(x, z) * R(x), x, z) <= total(P(x), x) - flow,
                 termwise(arithmetic("out", "set"), x)),
            step("moved", total(gamma(x, z) * R(x), x, z) <= total(gamma(x, z) * N(z), x, z),
                 termwise(arithmetic("related"), x, z)),
            step("into N", total(gamma(x, z) * N(z), x, z) <= E * Q_of_N,
                 integrate("in", z, weight=N(z))),
            step("bound", implies(flow >= 1 - delta, bound),
                 arithmetic("left over", "moved", "into N", "law")),
        ],
    ),
    tighter=proved(
        words="If the mass of the flow is P outside a set R plus E Q(N), the bound for that R "
              "shows that it is at least 1 - delta",
        given={"cut": flow == cut, "law": total(P(x), x) == 1}, example=half,
        statement=implies(bound, flow >= 1 - delta),
        steps=[step("flow", implies(bound, flow >= 1 - delta), arithmetic("cut", "law"))],
    ),
    breaks=[
        edit("drop related", "moved", instance(
            E=1, delta=0, X=[0, 1], P={0: 1}, Q={1: 1}, R={0: 1}, N={0: 1}, gamma={(0, 1): 1})),
        edit("drop out", "left over", instance(
            E=2, delta=0, X=[0, 1], P={0: 1/2, 1: 1/2}, Q={0: 1/2, 1: 1/2}, R={1: 1}, N={},
            gamma={(0, 0): 1})),
        edit("drop cut", "flow", instance(
            E=2, delta=1/2, X=[0, 1], P={0: 1}, Q={0: 1/4, 1: 3/4}, R={0: 1}, N={0: 1},
            gamma={})),
    ],
)
