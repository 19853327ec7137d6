"""(4): the scale that divides the largest distance of the plan by epsilon is private."""
from pfverify.proof.language import *

(theta, epsilon), y = positive("theta epsilon"), variables("y")
x, z = indices("x z", "X")
pi = masses("pi")
P, Q = total(pi(x, z), z), total(pi(x, z), x)
far, near = exp(-abs(y - x) / theta) / (2 * theta), exp(-abs(y - z) / theta) / (2 * theta)
p, q = total(P * far, x), total(Q * near, z)
E = exp(epsilon)
a, b = {0: 13/25, 1: 12/25}, {0: 1/2, 1: 1/2}

Claim(
    id="N02", source=paper("noise-reduction", "(4)"), result=PROVED,
    words="With a scale of at least 1/epsilon times the largest distance in the plan's support, "
          + "both orders hold",
    meaning=[total(pi(x, z), x, z) == 1],
    printed=proved(
        given={"scale": pi(x, z) == 0 or abs(x - z) <= epsilon * theta},
        example=instance(theta=2, epsilon=1/2, X=[0, 1], pi={(0, 0): 1/2, (0, 1): 1/2}),
        statement=p <= E * q and q <= E * p,
        steps=[
            step("column", total((exp(abs(x - z) / theta) - E) * pi(x, z), x) <= 0,
                 termwise(arithmetic("scale"), x)),
            step("scaled", 2 * theta * p <= E * 2 * theta * q
                 and 2 * theta * q <= E * 2 * theta * p, theorem("N09", {"E": E}, "column")),
            step("both", p <= E * q and q <= E * p, arithmetic("scaled")),
        ],
    ),
    tighter=proved(
        words="Table 1 at epsilon = 1/10: the plan has a pair at distance 1, so (4) says 10; "
              + "1/100 is private", data=instance(pi=plan(a, b)),
        statement=verdict("Table 1", "certified") and pi(0, 1) > 0,
        steps=[
            step("private", verdict("Table 1", "certified"),
                 certificate(problem(a, b, epsilon=1/10, scale=1/100))),
            step("pair at distance 1", pi(0, 1) > 0, finite()),
        ],
    ),
    breaks=[
        edit("drop scale", "column",
             instance(theta=1, epsilon=1/2, X=[0, 1], pi={(0, 1): 1}), {y: 0}),
    ],
)
