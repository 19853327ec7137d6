"""Definition 7: the lifting of the full relation relates every two distributions."""
from pfverify.proof.language import *
from settings.channels import *

(u, v), mass = indices("u v", "X"), total(gamma(x, z), x, z)
product = (total(P(x) * Q(z), z) == P(x) and total(P(x) * Q(z), x) == Q(z)
           and P(x) * Q(z) >= 0)

Claim(
    id="D05", source=paper("distribution-privacy", "Definition 7"), result=PROVED,
    words="If the relation holds between all letters, so does its lifting between all "
          "distributions: their product is a coupling",
    printed=proved(
        given={"P": total(P(x), x) == 1, "Q": total(Q(z), z) == 1},
        example=instance(X=[0, 1], P={0: 1/2, 1: 1/2}, Q={0: 1/3, 1: 2/3}),
        statement=product,
        steps=[step("product", product, arithmetic("P", "Q"))],
    ),
    tighter=proved(
        words="If it relates any two distributions at all, the relation has a pair: |Phi| >= 1",
        given={"first": first, "laws": laws, "Phi": relation, "inside": inside}, example=swap,
        statement=1 <= size,
        steps=[
            step("whole", mass == total(P(x), x), integrate("first", x)),
            step("above 0", 0 <= gamma(x, z), arithmetic()),
            step("at most 1", gamma(u, v) <= mass, one_term("above 0", {x: u, z: v})),
            step("pairs", mass <= size, termwise(arithmetic(
                "inside", "Phi", "whole", "laws", use("at most 1", {u: x, v: z})), x, z)),
            step("|Phi|", 1 <= size, arithmetic("pairs", "whole", "laws")),
        ],
    ),
    breaks=[
        edit("drop Q", "product", instance(X=[0], P={0: 1}, Q={0: 1/2})),
        edit("drop inside", "pairs", instance(
            X=[0, 1], P={0: 1}, Q={1: 1}, gamma={(0, 1): 1}, related={})),
    ],
)
