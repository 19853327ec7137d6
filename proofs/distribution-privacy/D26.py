"""Section 6.2: the class that tupling protects when the local mechanism tells nothing."""
from pfverify.proof.language import *
from settings.channels import *

beta, eta, n, m = positive("beta"), constants("eta"), member("n", "Y"), total(1, y)
P_in = total(indicator(beta - p), y) >= (1 - eta) * m  # P is in Lambda_(beta, eta, A)
Q_in = total(indicator(E * beta - q), y) >= (1 - eta) * m  # Q, for the larger E beta
always_n, z_A = A(x, y) == A(z, y) and not P_in, use("A", {x: z})

Claim(
    id="D26", source=paper("distribution-privacy", "Section 6.2"), result=REPAIRED,
    words="If A is epsilon_A-private, Lambda_(beta, eta, A) tends to all of DX as epsilon_A -> 0",
    printed=denied(
        words="A that always puts out the letter n is epsilon_A-private for every epsilon_A >= 0: "
              "every distribution would be in the set; if beta < 1 and eta < 1/|Y| none is",
        printed=implies(A(x, y) == A(z, y), P_in), statement=always_n,
        given={"A": A(x, y) == indicator(-abs(y - n)), "law": total(P(x), x) == 1,
               "eta": beta < 1 and eta * m < 1},
        example=instance(E=1, beta=1/2, eta=0, n=0, X=[0], Y=[0, 1], P={0: 1}, A={(0, 0): 1}),
        steps=[
            step("p", p == indicator(-abs(y - n)) * total(P(x), x), integrate("A", x, weight=P(x))),
            step("more", 0 <= 1 - indicator(beta - p), arithmetic()),
            step("n", 1 - at(indicator(beta - p), {y: n}) <= total(1 - indicator(beta - p), y),
                 one_term("more", {y: n})),
            step("all", always_n, arithmetic("n", "A", use("p", {y: n}), "law", z_A, "eta")),
        ],
    ),
    corrected=proved(
        words="If it is epsilon_A-private for all pairs, one distribution in Lambda_(beta, eta, A) "
              "puts every other one into that of e^epsilon_A beta: all of them, or hardly any",
        given={"DP": A(x, y) <= E * A(z, y), "laws": laws}, statement=implies(P_in, Q_in),
        example=instance(E=3, beta=1, eta=0, X=[0, 1], Y=[0, 1], A=response, P={0: 1}, Q={1: 1}),
        steps=[
            step("q", q * total(P(x), x) <= E * p * total(Q(z), z),
                 integrate(use("DP", {x: z, z: x}), x, z, weight=P(x) * Q(z))),
            step("moved", total(indicator(beta - p), y) <= total(indicator(E * beta - q), y),
                 termwise(arithmetic("q", "laws"), y)),
            step("inside", implies(P_in, Q_in), arithmetic("moved")),
        ],
    ),
    breaks=[
        edit("drop DP", "q", instance(
            E=1, beta=1/2, eta=0, X=[0, 1], Y=[0, 1], P={0: 1/2, 1: 1/2}, Q={0: 1},
            A={(0, 0): 1, (1, 1): 1})),
    ],
)
