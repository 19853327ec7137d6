"""F10: what bounds the reach and the cost of every coupling from below, for any distance."""
from pfverify.proof.language import *

s, t = constants("s t")
x, z = indices("x z", "X")
P, Q, pi, rho, A, N = masses("P Q pi rho A N")  # A and N are 1 on a set of letters, 0 elsewhere
f, d = functions("f d")
cost, cost_rho = total(pi(x, z) * d(x, z), x, z), total(rho(x, z) * d(x, z), x, z)
f_P, f_Q = total(f(x) * P(x), x), total(f(z) * Q(z), z)
P_of_A, Q_of_N = total(P(x) * A(x), x), total(Q(z) * N(z), z)
pinned = implies(P_of_A > Q_of_N, t <= s) and implies(cost == f_P - f_Q, cost <= cost_rho)

Claim(
    id="F10", source=paper("design", "F10"), result=PROVED,
    words="If a set has more mass than its neighbours nearer than t, every coupling moves mass at "
          "least t far; if a coupling costs what a 1-Lipschitz potential gains, none costs less",
    printed=proved(
        given={
            "rows": total(rho(x, z), z) == P(x), "columns": total(rho(x, z), x) == Q(z),
            "rho within s": rho(x, z) == 0 or d(x, z) <= s,
            "neighbours": d(x, z) >= t or A(x) <= N(z), "Lipschitz": f(x) - f(z) <= d(x, z),
        },
        example=instance(
            X=[0, 1, 2], s=2, t=2, P={0: 1}, Q={0: 1/2, 2: 1/2}, A={0: 1}, N={0: 1, 1: 1},
            d={(0, 1): 1, (1, 0): 1, (0, 2): 2, (2, 0): 2, (1, 2): 1, (2, 1): 1, "else": 0},
            f={0: 2, 1: 1, 2: 0},
            pi={(0, 0): 1/2, (0, 2): 1/2}, rho={(0, 0): 1/2, (0, 2): 1/2}),
        statement=pinned,
        steps=[
            step("into N", implies(s < t, rho(x, z) * A(x) <= rho(x, z) * N(z)),
                 arithmetic("rho within s", "neighbours")),
            step("A into N", implies(s < t, total(rho(x, z) * A(x), x, z)
                                     <= total(rho(x, z) * N(z), x, z)), integrate("into N", x, z)),
            step("P(A)", total(rho(x, z) * A(x), x, z) == P_of_A,
                 integrate("rows", x, weight=A(x))),
            step("Q(N)", total(rho(x, z) * N(z), x, z) == Q_of_N,
                 integrate("columns", z, weight=N(z))),
            step("edges", total(rho(x, z) * (f(x) - f(z)), x, z) <= cost_rho,
                 integrate("Lipschitz", x, z, weight=rho(x, z))),
            step("f P", total(rho(x, z) * f(x), x, z) == f_P,
                 integrate("rows", x, weight=f(x))),
            step("f Q", total(rho(x, z) * f(z), x, z) == f_Q,
                 integrate("columns", z, weight=f(z))),
            step("both", pinned, arithmetic("A into N", "P(A)", "Q(N)", "edges", "f P", "f Q")),
        ],
    ),
    breaks=[
        edit("drop rho within s", "into N", instance(
            X=[0, 1], s=0, t=1, P={0: 1}, Q={1: 1}, A={0: 1}, N={0: 1}, f={"else": 0},
            d={(0, 1): 1, (1, 0): 1, "else": 0}, pi={(0, 1): 1}, rho={(0, 1): 1})),
    ],
)
