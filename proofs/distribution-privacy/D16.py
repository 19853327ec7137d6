"""Theorem 2: XDP is XDistP for the W-infinity distance; delta |Phi| is more than is needed."""
from pfverify.proof.language import *
from settings.channels import *

epsilon, W, d = positive("epsilon"), constants("W"), functions("d")
near, far = exp(epsilon * d(x, z)), exp(epsilon * W)  # W: the nearest coupling's farthest move
excess_d, excess_W = at(excess_xz, {E: near}), at(excess_xz, {E: far})
moves, lifted = gamma(x, z) == 0 or d(x, z) <= W, at(excess, {E: far})

Claim(
    id="D16", source=paper("distribution-privacy", "Theorem 2"), result=PROVED,
    words="If a channel is (epsilon, d, delta)-XDP for the pairs in Phi, it is (epsilon, W, "
          "delta |Phi|)-XDistP for distributions whose nearest coupling, of distance W, is in Phi",
    printed=proved(
        given={"XDP": related(x, z) == 0 or x_B <= near * z_B + delta, "delta": delta >= 0,
               "Phi": relation, "inside": inside, "moves": moves, "first": first,
               "second": second, "laws": laws},
        example=swap, statement=p_B <= far * q_B + delta * size,
        steps=[
            step("z", 0 <= z_B, termwise(arithmetic(), y)),
            step("W", gamma(x, z) == 0 or near <= far, arithmetic("moves")),
            step("F11", p_B <= far * q_B + delta, theorem(
                "F11", {"E": far}, "XDP", "inside", "W", "z", "first", "second", "laws")),
            step("some pair", 1 <= size, theorem(
                "D05", {}, "Phi", "inside", "first", "laws", part="tighter")),
            step("|Phi|", p_B <= far * q_B + delta * size, arithmetic("F11", "delta", "some pair")),
        ],
    ),
    tighter=proved(
        words="It is (epsilon, W, delta)-XDistP, by joint convexity (no less: D13)",
        given={"XDP": gamma(x, z) == 0 or excess_d <= delta, "moves": moves, "first": first,
               "second": second, "laws": laws},
        example=swap, statement=lifted <= delta,
        steps=[
            step("farther", implies(d(x, z) <= W, excess_W <= excess_d), termwise(arithmetic(), y)),
            step("D14", lifted <= delta, theorem("D14", {"E": far}, "XDP", "moves", "farther",
                                                 "first", "second", "laws", part="tighter")),
        ],
    ),
    breaks=[
        edit("drop XDP", "F11", instance(
            epsilon=log(3), delta=0, W=1, d={(0, 0): 0, (1, 1): 0, "else": 1}, X=[0, 1], Y=[0, 1],
            A={(0, 0): 1, (1, 1): 1}, B={0: 1}, P={0: 1}, Q={1: 1}, gamma={(0, 1): 1},
            related={(0, 1): 1})),
        edit("drop moves", "W", instance(
            epsilon=log(3), delta=0, W=1/2, d={(0, 0): 0, (1, 1): 0, "else": 1}, X=[0, 1],
            Y=[0, 1], A=response, B={0: 1}, P={0: 1}, Q={1: 1}, gamma={(0, 1): 1},
            related={(0, 1): 1})),
        edit("drop delta", "|Phi|"),
    ],
    meaning=[channel, laws],
)
