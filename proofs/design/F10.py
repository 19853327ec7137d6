"""F10: what bounds the reach and the cost of every coupling from below, for any distance."""
from pfverify.proof.language import *

s, t = constants("s t")
x, z = indices("x z", "X")
P, Q, pi, rho, A, N = masses("P Q pi rho A N")  # A and N are 1 on a set of letters, 0 elsewhere
f, d = functions("f d")
cost, cost_rho = total(pi(x, z) * d(x, z), x, z), total(rho(x, z) * d(x, z), x, z)
f_P, f_Q = total(f(x) * P(x), x), total(f(z) * Q(z), z)
P_of_A, Q_of_N = total(P(x) * A(x), x), total(Q(z) * N(z), z)
nearer = 1 - indicator(s - t)  # s < t
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
            step("P(A), Q(N)", P_of_A * nearer - Q_of_N * nearer <= 0, theorem("F28", {
                "pi": rho, "f": maps(x, A(x) * nearer), "g": maps(z, -N(z) * nearer),
                "c": maps(x, z, 0)}, "rows", "columns", "rho within s", "neighbours")),
            step("dual", f_P - f_Q <= cost_rho, theorem("F28", {
                "pi": rho, "g": maps(z, -f(z)), "c": d}, "rows", "columns", "Lipschitz")),
            step("both", pinned, arithmetic("P(A), Q(N)", "dual")),
        ],
    ),
    breaks=[
        edit("drop rho within s", "P(A), Q(N)", instance(
            X=[0, 1], s=0, t=1, P={0: 1}, Q={1: 1}, A={0: 1}, N={0: 1}, f={"else": 0},
            d={(0, 1): 1, (1, 0): 1, "else": 0}, pi={(0, 1): 1}, rho={(0, 1): 1})),
    ],
)
