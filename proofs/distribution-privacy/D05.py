"""Definition 7: the lifting of the full relation relates every two distributions."""
from pfverify.proof.language import *

x, z = indices("x z", "X")
P, Q = masses("P Q")
coupling = (total(P(x) * Q(z), z) == P(x) and total(P(x) * Q(z), x) == Q(z)
            and P(x) * Q(z) >= 0)

Claim(
    id="D05", source=paper("distribution-privacy", "Definition 7"), result=PROVED,
    words="If the relation holds between all letters, so does its lifting between all "
          "distributions: their product is a coupling",
    printed=proved(
        given={"P": total(P(x), x) == 1, "Q": total(Q(z), z) == 1},
        example=instance(X=[0, 1], P={0: 1/2, 1: 1/2}, Q={0: 1/3, 1: 2/3}),
        statement=coupling,
        steps=[step("product", coupling, arithmetic("P", "Q"))],
    ),
    breaks=[edit("drop Q", "product", instance(X=[0], P={0: 1}, Q={0: 1/2}))],
)
