"""Below Theorem 2: the noise that is needed does not grow with the number of related inputs."""
from pfverify.proof.language import *
from settings.channels import *

epsilon, (a, b) = positive("epsilon"), member("a b", "X")
excess_ab, DP = at(excess_xz, {x: a, z: b}), related(x, z) == 0 or excess_xz <= delta
W, d = constants("W"), functions("d")
far, near = exp(epsilon * W), exp(epsilon * d(x, z))
moves = gamma(x, z) == 0 or d(x, z) <= W and at(excess_xz, {E: near}) <= delta

Claim(
    id="D17", source=paper("distribution-privacy", "Section 5.2.2"), result=REPAIRED,
    words="When delta > 0, the noise that distribution privacy requires is proportional to |Phi|, "
          "so that the Gaussian mechanism is not suited for large domains",
    printed=denied(
        words="For delta between distributions Theorem 2 asks for delta/|Phi| between inputs. If "
              "delta is the excess of the worst related inputs a, b, no distributions related by "
              "the lifting have more, and if |Phi| > 1 these inputs exceed delta/|Phi|",
        given={"DP": DP, "worst": related(a, b) == 1 and excess_ab == delta and delta > 0,
               "|Phi|": size > 1, "inside": inside, "first": first, "second": second, "laws": laws},
        printed=implies(excess <= delta, excess_ab <= delta / size),
        example=instance(E=2, delta=1/4, a=0, b=1, X=[0, 1], Y=[0, 1], A=response, P={0: 1},
                         Q={1: 1}, gamma={(0, 1): 1}, related={(0, 1): 1, (1, 0): 1}),
        statement=excess <= delta and delta / size < excess_ab,
        steps=[
            step("D14", excess <= delta, theorem(
                "D14", {}, "DP", "inside", "first", "second", "laws", part="tighter")),
            step("less", delta / size < excess_ab, arithmetic("worst", "|Phi|")),
            step("both", excess <= delta and delta / size < excess_ab, arithmetic("D14", "less")),
        ],
    ),
    corrected=proved(
        words="Noise that is enough for single inputs at a distance of W is enough for all "
              "distributions at the W-infinity distance W, whatever the size of X: Gaussian noise, "
              "too",
        given={"moves": moves, "first": first, "second": second, "laws": laws},
        example=swap, statement=at(excess, {E: far}) <= delta,
        steps=[step("D16", at(excess, {E: far}) <= delta, theorem(
            "D16", {}, "moves", "first", "second", "laws", part="tighter"))],
    ),
    breaks=[
        edit("drop DP", "D14"), edit("drop |Phi|", "less", instance(
            E=2, delta=1/4, a=0, b=1, X=[0, 1], Y=[0, 1], A=response, P={0: 1}, Q={1: 1},
            gamma={(0, 1): 1}, related={(0, 1): 1})),
        edit("drop moves", "D16"),
    ],
    meaning=[E >= 1, channel, laws],
)
