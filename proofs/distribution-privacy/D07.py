"""Proposition 1: close beliefs R (of P) and S (of Q) are protected if Psi has them, not always."""
from pfverify.proof.language import *
from settings.channels import *
from settings.problems import *

epsilon, (c, c_0, c_1, D) = positive("epsilon"), constants("c c_0 c_1 D")  # D: of P and Q
R, S, pi, rho = masses("R S pi rho")
r, s = total(R(x) * A(x, y), x), total(S(z) * A(z, y), z)  # what A# makes of the beliefs
claimed, whole = r <= exp(epsilon * (D + 2 * c)) * s, exp(epsilon * (D + c_0 + c_1))
to_P = total(pi(x, z), x) == P(z) and total(pi(x, z), z) == R(x)
to_Q = total(rho(x, z), x) == Q(z) and total(rho(x, z), z) == S(x)

Claim(
    id="D07", source=paper("distribution-privacy", "Proposition 1"), result=REPAIRED,
    words="If A is (epsilon, d, 0)-XDistP for some Psi, beliefs at a distance of at most c from "
          "the distributions of a pair of Psi are protected with epsilon (d + 2 c)",
    printed=refuted(
        words="A releases the input. Psi has (1/2, 1/2) and (1/3, 2/3) in both orders, at the "
              "W-infinity distance 1: epsilon = log(3/2). The beliefs (1, 0), (0, 1) have c = 1",
        given={"XDistP": p <= exp(epsilon * D) * q and q <= exp(epsilon * D) * p,
               "A": channel and laws, "D": P(x) != Q(x) and (x == z or abs(x - z) == D),
               "beliefs": to_P and to_Q,
               "close": (pi(x, z) == 0 or abs(x - z) <= c) and (rho(x, z) == 0 or abs(x - z) <= c)},
        statement=claimed, problem=problem({0: 1}, {1: 1}, epsilon="log(27/8)", channel=reveal),
        instance=instance(epsilon=log(3/2), D=1, c=1, X=[0, 1], Y=[0, 1], A={(0, 0): 1, (1, 1): 1},
                          P={0: 1/2, 1: 1/2}, pi={(0, 0): 1/2, (0, 1): 1/2}, R={0: 1},
                          Q={0: 1/3, 1: 2/3}, rho={(1, 0): 1/3, (1, 1): 2/3}, S={1: 1}),
    ),
    corrected=proved(
        words="They are if Psi has the pairs of each distribution and its belief as well",
        given={"XDistP": p <= exp(epsilon * D) * q, "R": r <= exp(epsilon * c_0) * p,
               "S": q <= exp(epsilon * c_1) * s, "close": c_0 <= c and c_1 <= c},
        example=instance(epsilon=log(3), D=1, c=1, c_0=1, c_1=0, X=[0, 1], Y=[0, 1], A=response,
                         R={0: 1}, P={0: 1/2, 1: 1/2}, Q={1: 1}, S={1: 1}), statement=claimed,
        steps=[
            step("s", 0 <= s, termwise(arithmetic(), z)),
            step("chain", r <= whole * s, arithmetic("XDistP", "R", "S")),
            step("both", claimed, arithmetic("chain", "close", "s")),
        ],
    ),
    breaks=[
        edit("drop R", "chain", instance(
            epsilon=log(2), D=1, c=0, c_0=0, c_1=0, X=[0, 1], Y=[0, 1], A=response, R={0: 1},
            P={1: 1}, Q={1: 1}, S={1: 1})),
        edit("drop close", "both"), edit("drop XDistP", "chain"),
    ],
    meaning=[channel, laws, total(R(x), x) == 1, total(S(z), z) == 1],
)
