"""Section 4, the example: two mechanisms on one location can tell male from female together."""
from pfverify.proof.language import *
from settings.two_channels import *

M, N = masses("M N")  # lambda_home and lambda_out; P and Q are lambda_male and lambda_female
home_out = (total(M(x) * A(x, y), x) == total(N(x) * A(x, y), x)
            and total(M(x) * C(x, w), x) == total(N(x) * C(x, w), x))
alone = p == q and r == s and home_out
apart = p_both >= 0 and q_both >= 0 and (p_both == 0 or q_both == 0)

Claim(
    id="D12", source=paper("distribution-privacy", "Section 4"), result=REPAIRED,
    words="If A_0 and A_1 are epsilon_0- and epsilon_1-DistP for Psi = {(male, female), (home, "
          "out)}, both pairs are protected with epsilon_0 + epsilon_1 when both obfuscate x_0",
    printed=denied(
        words="Of four places A_0 tells the half, A_1 whether it is odd; men are in 0 and 3, women "
              "in 1 and 2. Each is 0-DistP for Psi, both tell men from women: the excess is 1",
        data=instance(X=[0, 1, 2, 3], Y=[0, 1], W=[0, 1], P={0: 1/2, 3: 1/2}, Q={1: 1/2, 2: 1/2},
                      A={(0, 0): 1, (1, 0): 1, (2, 1): 1, (3, 1): 1},
                      C={(0, 0): 1, (1, 1): 1, (2, 0): 1, (3, 1): 1},
                      M={0: 3/8, 1: 1/8, 2: 1/8, 3: 3/8}, N={"else": 1/4}),
        printed=implies(alone, excess_both <= 0), statement=alone and excess_both == 1,
        steps=[
            step("apart", apart, finite()),
            step("alone", alone and total(p_both, w, y) == 1, finite()),
            step("each", excess_both == total(p_both, w, y), termwise(arithmetic("apart"), w, y)),
            step("together", alone and excess_both == 1, arithmetic("alone", "each")),
        ],
    ),
    corrected=proved(
        words="They are when A_1 obfuscates another location x_1, drawn independently (and with "
              "one location for the lifting of a relation: D08b)",
        given={"A_0": p <= E * q, "A_1": r <= F * s}, example=swap,
        statement=p * r <= E * F * q * s,
        steps=[
            step("q", 0 <= q, termwise(arithmetic(), z)),
            step("r", 0 <= r, termwise(arithmetic(), x)),
            step("both", p * r <= E * F * q * s, arithmetic("q", "r", "A_0", "A_1")),
        ],
    ),
    breaks=[
        edit("drop A_0", "both", shown),
        edit("alone = p == q and r == s and home_out and p_both == q_both", "alone"),
        edit("apart = p_both == 0 or q_both == 0", "each"),
    ],
    meaning=[E >= 1, F >= 1, channels, laws],
)
