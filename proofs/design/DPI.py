"""DPI: what is made of an output alone tells no more: noise that is added, steps, a part of it.

An output has the densities p and q under two secrets, with respect to any law S: masses of atoms
too. c(y) is the chance that what is made of the output y is in an event (its density at a point, of
which `most` is a bound).

Symbols:
E: e^epsilon
delta: the delta of the bound
most: a bound of the densities
y: an output
p, q: densities of the output under the two secrets
c: what an output adds to the event
"""
from pfverify.proof.language import *

E, (delta, most), y = positive("E"), constants("delta most"), draws("y", "S")
p, q, c = masses("p q c")
above = maximum(p(y) - E * q(y), 0)
made_p, made_q = mean(c(y) * p(y), y), mean(c(y) * q(y), y)
excess = mean(above, y)

Claim(
    id="DPI", source=paper("design", "DPI"), result=PROVED,
    words="The chance of an event that is made of an output exceeds E times the other chance by at "
          "most the excess of p over E q of the output itself (data processing, post-processing)",
    printed=proved(
        given={"most": p(y) <= most and q(y) <= most, "chance": c(y) <= 1},
        example=instance(E=1, most=2, S=law({0: 1/2, 1: 1/2}), p={0: 2}, q={1: 2}, c={0: 1}),
        statement=made_p <= E * made_q + excess,
        steps=[
            step("all", made_p <= E * made_q + excess, termwise(arithmetic("chance"), y)),
        ],
    ),
    tighter=proved(
        words="where p <= E q + delta at every output, delta >= 0, the same holds of what averages "
              "of outputs have, of densities and masses too, if the shares c add up to at most 1",
        given={"most": p(y) <= most and q(y) <= most and c(y) <= most, "delta": 0 <= delta,
               "order": p(y) <= E * q(y) + delta, "shares": mean(c(y), y) <= 1},
        example=instance(E=1, delta=0, most=1, S=law({0: 1}), p={0: 1}, q={0: 1}, c={0: 1}),
        statement=made_p <= E * made_q + delta,
        steps=[
            step("each", made_p <= E * made_q + delta * mean(c(y), y), termwise(
                arithmetic("order"), y)),
            step("all", made_p <= E * made_q + delta, arithmetic("each", "delta", "shares")),
        ],
    ),
    breaks=[
        edit("drop chance", "all"), edit("drop order", "each"), edit("drop shares", "all"),
    ],
)
