"""(8): no pair of the plan exceeds e^epsilon: sufficient for privacy, and the same as (4)."""
from pfverify.proof.language import *

theta, epsilon, m = positive("theta epsilon m")
y = variables("y")
x, z = indices("x z", "X")
pi = masses("pi")
P, Q = total(pi(x, z), z), total(pi(x, z), x)
far, near = exp(-abs(y - x) / theta) / (2 * theta), exp(-abs(y - z) / theta) / (2 * theta)
p, q = total(P * far, x), total(Q * near, z)
E, grow = exp(epsilon), exp(abs(x - z) / theta)
private = p <= E * q and q <= E * p
gives_4 = iff(exp(m / theta) - E == 0, theta == m / epsilon)

Claim(
    id="N08", source=paper("noise-reduction", "(8)"), result=PROVED,
    words="If e^(d/theta) <= e^epsilon at every distance d of a plan on finitely many letters, "
          "both orders hold; the largest d = m reaches e^epsilon exactly at theta = m/epsilon",
    meaning=[total(pi(x, z), x, z) == 1],
    printed=proved(
        given={"(8)": pi(x, z) == 0 or grow - E <= 0},
        example=instance(theta=2, epsilon=1/2, m=1, X=[0, 1], pi={(0, 0): 1/2, (0, 1): 1/2}),
        statement=private and gives_4,
        steps=[
            step("first order", p <= E * q, termwise(arithmetic("(8)"), x, z)),
            step("second order", q <= E * p, termwise(arithmetic("(8)"), x, z)),
            step("(4)", gives_4, arithmetic()),
        ],
    ),
    breaks=[
        edit("drop (8)", "first order",
             instance(theta=1, epsilon=1/2, m=1, X=[0, 1], pi={(0, 1): 1}), {y: 0}),
    ],
)
