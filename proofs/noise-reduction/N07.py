"""Section 3.1: the maximum is at least the expectation, so (8) implies (9) and not conversely."""
from pfverify.proof.language import *

theta, E = positive("theta E")
m = constants("m")
x, z = indices("x z", "X")
x0 = member("x0", "X")
pi = masses("pi")
excess = exp(abs(x - z) / theta) - E
Q, average = total(pi(x, z), x), total(excess * pi(x, z), x)

Claim(
    id="N07", source=paper("noise-reduction", "Section 3.1"), result=REPAIRED,
    words="The largest e^(|x-x'|/theta) - e^epsilon of a column is no greater than its expectation",
    meaning=[total(pi(x, z), x, z) == 1, E > 1],
    printed=refuted(
        given={"largest": pi(x, z) == 0 or excess <= m,
               "reached": pi(x0, 1) > 0 and exp(abs(x0 - 1) / theta) - E == m},
        statement=m * Q <= average, at={z: 1},
        instance=instance(theta=1, E=2, m=exp(1) - 2, x0=0, X=[0, 1],
                          pi={(0, 1): 1/2, (1, 1): 1/2}),
    ),
    corrected=proved(
        words="It is no smaller than its expectation; if it is <= 0, so is the expectation",
        given={"largest": pi(x, z) == 0 or excess <= m},
        example=instance(theta=1, E=3, m=0, X=[0, 1], pi={(0, 1): 1/2, (1, 1): 1/2}),
        statement=average <= m * Q and implies(m <= 0, average <= 0),
        steps=[
            step("sum", average <= m * Q, termwise(arithmetic("largest"), x)),
            step("column", 0 <= Q, termwise(arithmetic(), x)),
            step("both", average <= m * Q and implies(m <= 0, average <= 0),
                 arithmetic("sum", "column")),
        ],
    ),
    breaks=[
        edit("drop largest", "sum", instance(theta=1, E=2, m=0, X=[0, 1], pi={(0, 1): 1})),
    ],
)
