"""F97: R of independent outputs is the product, so that their divergences add up.

p^a q^(1-a) of a pair of outputs is f g, f that of the one and g that of the other (integrals
likewise). Releases of fresh draws are independent.

Symbols:
i, j: an output of either
f, g: p^a q^(1-a) of it
"""
from pfverify.proof.language import *

i, j, (f, g) = indices("i", "X"), indices("j", "Y"), masses("f g")
both = total(total(f(i) * g(j), j), i)
inner = total(g(j), j)

Claim(
    id="F97", source=paper("design", "F97"), result=PROVED,
    words="The sum over pairs of a product is the product of both sums",
    printed=proved(
        given={},
        example=instance(X=[0, 1], Y=[0], f={0: 1, 1: 2}, g={0: 3}),
        statement=both == total(f(i), i) * inner,
        steps=[
            step("inner", total(f(i) * g(j), j) == f(i) * inner, termwise(arithmetic(), j)),
            step("all", both == total(f(i), i) * inner, termwise(arithmetic("inner"), i)),
        ],
    ),
    breaks=[edit("both = total(total(f(i) + g(j), j), i)", "all")],
)
