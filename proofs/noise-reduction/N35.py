"""(19): in the worst case theta_1 is the largest that any plan on the alphabet can give."""
from pfverify.proof.language import *

theta_1, theta, epsilon = positive("theta_1 theta epsilon")
x, z = indices("x z", "X")
a, b, c, d = member("a b c d", "X")
pi, sigma = masses("pi sigma")

Claim(
    id="N35", source=paper("noise-reduction", "(19)"), result=PROVED,
    words="If the plan has mass on two letters (a, b) that no other two exceed in distance, no "
          "plan on the same alphabet gives the Wasserstein mechanism a larger scale",
    printed=proved(
        given={
            "(4)": pi(a, b) > 0 and theta_1 == abs(a - b) / epsilon,
            "(19)": abs(x - z) <= abs(a - b),
            "(4) for another plan": sigma(c, d) > 0 and theta == abs(c - d) / epsilon,
        },
        example=instance(theta_1=2, theta=1, epsilon=1, X=[0, 1, 2], a=0, b=2, c=0, d=1,
                         pi={(0, 0): 3/4, (0, 2): 1/4}, sigma={(0, 1): 1}),
        statement=theta <= theta_1,
        steps=[
            step("rate", 0 < 1 / epsilon, arithmetic()),
            step("highest", theta <= theta_1,
                 arithmetic("(4)", "(4) for another plan", "rate", use("(19)", {x: c, z: d}))),
        ],
    ),
    breaks=[
        edit("drop (19)", "highest", instance(
            theta_1=1, theta=2, epsilon=1, X=[0, 1, 2], a=0, b=1, c=0, d=2, pi={(0, 1): 1},
            sigma={(0, 2): 1})),
        edit("drop (4)", "highest", instance(
            theta_1=1, theta=2, epsilon=1, X=[0, 1, 2], a=0, b=2, c=0, d=2, pi={(0, 2): 1},
            sigma={(0, 2): 1})),
        edit("drop (4) for another plan", "highest", instance(
            theta_1=2, theta=3, epsilon=1, X=[0, 1, 2], a=0, b=2, c=0, d=2, pi={(0, 2): 1},
            sigma={(0, 2): 1})),
    ],
)
