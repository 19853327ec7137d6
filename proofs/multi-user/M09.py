"""(7)-(9): the laws of the answer given the secret, with a factor Z = prod zeta_j that is too much.

With the factor the densities of the releases are Z from_a, Z absent, Z from_P: it cancels in every
condition of Section 4. If others may be absent, Rest is the law of the sum of those present.
"""
from pfverify.proof.language import *
from settings.users import *

Z, x, B = positive("Z"), variables("x"), masses("B")  # B(x): 1 for an event, or a chance
at_r, at_sum = indicator(-abs(x - a(i) - r)), indicator(-abs(x - (r + a(i))))
at_t, at_both = indicator(-abs(x - t - r)), indicator(-abs(x - (r + t)))
everything = Z * mean(B(r + a(i)), r)  # of the event B under (7)
laws = mean(at_sum, r) == mean(at_r, r) and mean(at_both, t, r) == mean(at_t, r, t)
cancels = (iff(Z * from_a <= E * (Z * from_b), from_a <= E * from_b)
           and iff(Z * from_P <= E * (Z * absent), from_P <= E * absent)
           and iff(Z * from_P <= E * (Z * from_Q), from_P <= E * from_Q))

Claim(
    id="M09", source=paper("multi-user", "(7)-(9)"), result=REPAIRED,
    words="Given the secret the answer has the laws (7), (8), (9): the others' sum moved by a_i, "
          "unmoved or plus D_i, each times the product Z of the others' zeta_j",
    printed=refuted(
        words="They have total mass Z, not 1: one other user, zeta = 1/2, who reports 1",
        given={"all outcomes": B(r + a(i)) == 1}, statement=everything == 1,
        instance=instance(Z=1/2, Users=[1], a={1: 0}, Rest=law({1: 1}), B={1: 1}),
    ),
    corrected=proved(
        words="Without the factor they are the laws given that all others are present; with it, "
              "both orders of each pair hold exactly where they do without",
        given={"event": B(x) <= 1, "all outcomes": B(r + a(i)) == 1},
        example=instance(Z=1/2, theta=1, epsilon=1, Users=[1], a={1: 0}, b={1: 1}, B={1: 1},
                         Rest=law({1: 1}), P=fair, Q=fair),
        statement=mean(B(r + a(i)), r) == 1 and laws and cancels,
        steps=[
            step("mass", mean(B(r + a(i)), r) == 1, integrate("all outcomes", r)),
            step("(7)", mean(at_sum, r) == mean(at_r, r), termwise(arithmetic(), r)),
            step("(9)", mean(at_both, t, r) == mean(at_t, r, t), termwise(arithmetic(), r, t)),
            step("Z", cancels, arithmetic()),
        ],
    ),
    breaks=[
        edit("drop all outcomes", "mass", instance(
            Z=1/2, theta=1, epsilon=1, Users=[1], a={1: 0}, b={1: 1}, B={}, Rest=law({1: 1}),
            P=fair, Q=fair)),
        edit("everything = mean(B(r + a(i)), r)", "the counterexample"),
    ],
)
