"""F75: a part of the output that is independent and has one law under both secrets shows nothing.

p, q are densities of the part that shows something with respect to any law S, r that of the rest
with respect to any law T (masses too).

Symbols:
E: e^epsilon, or any other factor
z: the part of the output that shows something
u: the rest
p, q: densities of that part under the two secrets
r: the density of the rest under both
most: a bound of the densities
"""
from pfverify.proof.language import *

(E, most), z, u, (p, q, r) = constants("E most"), draws("z", "S"), draws("u", "T"), masses("p q r")
whole = mean(maximum(p(z) * r(u) - E * q(z) * r(u), 0), z, u)
alone = mean(maximum(p(z) - E * q(z), 0), z)

Claim(
    id="F75b", source=paper("design", "F75"), result=PROVED,
    words="H_E of an output that has an independent part with one law under both secrets is H_E "
          "of the other part",
    printed=proved(
        given={"bounds": p(z) <= most and q(z) <= most and r(u) <= most,
               "law": mean(r(u), u) == 1},
        example=instance(E=1, most=2, S=law({0: 1/2, 1: 1/2}), T=law({0: 1}), p={0: 2}, q={1: 2},
                         r={0: 1}),
        statement=whole == alone,
        steps=[
            step("each", maximum(p(z) * r(u) - E * q(z) * r(u), 0)
                 == r(u) * maximum(p(z) - E * q(z), 0), arithmetic()),
            step("mean", whole == mean(r(u), u) * alone, integrate("each", z, u)),
            step("all", whole == alone, arithmetic("mean", "law")),
        ],
    ),
    breaks=[edit("drop law", "all"), edit("alone = mean(p(z) - E * q(z), z)", "mean")],
)
