"""Theorem 1: a private channel is private for distributions; delta |Phi| is more than is needed."""
from pfverify.proof.language import *
from settings.channels import *

Claim(
    id="D14", source=paper("distribution-privacy", "Theorem 1"), result=PROVED,
    words="If a channel is (epsilon, delta)-private for the pairs in Phi, it is "
          "(epsilon, delta |Phi|)-private for any two distributions with a coupling inside Phi",
    printed=proved(
        given={"DP": related(x, z) == 0 or x_B <= E * z_B + delta, "delta": delta >= 0,
               "Phi": relation, "inside": inside, "first": first, "second": second,
               "laws": laws},
        example=swap, statement=p_B <= E * q_B + delta * size,
        steps=[
            step("F11", private, theorem("F11", {}, "DP", "inside", "first", "second", "laws")),
            step("some pair", 1 <= size, theorem(
                "D05", {}, "Phi", "inside", "first", "laws", part="tighter")),
            step("|Phi|", p_B <= E * q_B + delta * size, arithmetic("F11", "delta", "some pair")),
        ],
    ),
    tighter=proved(
        words="It is (epsilon, delta)-private: so is any mixture of pairs that are (the "
              "hockey-stick divergence is jointly convex); no less than delta is (D13)",
        given={"DP": gamma(x, z) == 0 or excess_xz <= delta, "first": first, "second": second,
               "laws": laws}, example=swap, statement=excess <= delta,
        steps=[
            step("worst", total((A(x, y) - E * A(z, y)) * worst, y) <= excess_xz,
                 termwise(arithmetic(), y)),
            step("lifted", total(p * worst, y) <= E * total(q * worst, y) + delta, theorem(
                "F11", {"B": maps(y, worst)}, "DP", "worst", "first", "second", "laws")),
            step("excess", excess == total((p - E * q) * worst, y), termwise(arithmetic(), y)),
            step("tight", excess <= delta, arithmetic("lifted", "excess")),
        ],
    ),
    breaks=[
        edit("drop DP", "F11", shown), edit("drop delta", "|Phi|"), edit("drop first", "F11"),
        edit("drop inside", "F11", instance(
            E=1, delta=0, X=[0, 1], Y=[0, 1], B={0: 1}, P={0: 1}, Q={1: 1}, gamma={(0, 1): 1},
            related={(0, 0): 1}, A={(0, 0): 1, (1, 1): 1})),
    ],
    meaning=[E >= 1, channel, laws],
)
