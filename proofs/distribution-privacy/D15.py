"""Example 2, Section 5.2.1 (that Phi_W^# is in Phi^# is its definition): DP hides laws as well."""
from pfverify.proof.language import *
from settings.channels import *

epsilon, D, d, (a, b) = positive("epsilon"), constants("D"), masses("d"), member("a b", "X")
point = total(indicator(-abs(x - a)) * A(x, y), x) == A(a, y)  # the output's law for one input a
bounded = A(a, y) <= exp(epsilon * d(a, b)) * A(b, y)
coupled = total(P(x) * Q(z), z) == P(x) and total(P(x) * Q(z), x) == Q(z)
every = point and bounded and coupled and p <= exp(epsilon * D) * q

Claim(
    id="D15", source=paper("distribution-privacy", "Example 2"), result=PROVED,
    words="(epsilon, 0)-DP mechanisms as randomized response and RAPPOR provide (epsilon, 0)-DistP",
    printed=proved(
        given={"DP": A(x, y) <= E * A(z, y), "laws": laws}, statement=p <= E * q,
        example=instance(E=3, X=[0, 1], Y=[0, 1], A=response, P={0: 1}, Q={1: 1}),
        steps=[
            step("all", p * total(Q(z), z) <= E * q * total(P(x), x),
                 integrate("DP", x, z, weight=P(x) * Q(z))),
            step("DistP", p <= E * q, arithmetic("all", "laws")),
        ],
    ),
    tighter=proved(
        words="Points a and b have the laws A(a), A(b), so D_inf is at most epsilon d(a, b); no "
              "move of the product, a coupling, is over diam, nor is W_inf, and epsilon diam is "
              "enough for any two laws",
        given={"XDP": A(x, y) <= exp(epsilon * d(x, z)) * A(z, y), "laws": laws,
               "diam": P(x) * Q(z) == 0 or d(x, z) <= D},
        example=instance(epsilon=2, D=1, X=[0, 1], Y=[0, 1], A=response, P={0: 1}, a=0, b=1,
                         Q={1: 1}, d={(0, 1): 1, (1, 0): 1}), statement=every,
        steps=[
            step("other", implies(x != a, indicator(-abs(x - a)) == 0), arithmetic()),
            step("point", point, single("other", x, weight=A(x, y))),
            step("coupled", coupled, arithmetic("laws")),
            step("pairs", total(P(x) * Q(z) * A(x, y), x, z) <= exp(epsilon * D) * total(
                P(x) * Q(z) * A(z, y), x, z), termwise(arithmetic("XDP", "diam"), x, z)),
            step("all", every,
                 arithmetic("point", "coupled", "pairs", "laws", use("XDP", {x: a, z: b}))),
        ],
    ),
    breaks=[
        edit("drop DP", "all", instance(E=1, X=[0, 1], Y=[0, 1], A=response, P={0: 1}, Q={1: 1})),
    ],
)
