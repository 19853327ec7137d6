"""(26): in the worst case the l1 method and the Wasserstein mechanism give the same scale."""
from pfverify.proof.language import *

theta_1, theta_l, epsilon = positive("theta_1 theta_l epsilon")
x, z = indices("x z", "X")
a, b, c, d, o, n = member("a b c d o n", "X")  # o and n: the letters 0 and n
pi = masses("pi")

Claim(
    id="N43", source=paper("noise-reduction", "(26)"), result=PROVED,
    words="If the plan has mass on two letters (c, d) that no other two exceed in distance, the l1 "
          "scale and the Wasserstein scale are both n / epsilon",
    printed=proved(
        given={
            "(4)": pi(a, b) > 0 and theta_1 == abs(a - b) / epsilon,
            "(4), largest": implies(pi(x, z) > 0, abs(x - z) <= abs(a - b)),
            "l1": theta_l == abs(o - n) / epsilon,
            "l1, largest": o <= x and x <= n,
            "(19)": pi(c, d) > 0 and abs(x - z) <= abs(c - d),
        },
        example=instance(theta_1=2, theta_l=2, epsilon=1, X=[0, 1, 2], a=0, b=2, c=0, d=2, o=0,
                         n=2, pi={(0, 0): 3/4, (0, 2): 1/4}),
        statement=theta_l == (n - o) / epsilon and theta_1 == theta_l,
        steps=[
            step("one distance", abs(a - b) == n - o and abs(o - n) == n - o,
                 arithmetic(use("(4), largest", {x: c, z: d}), use("(19)", {x: o, z: n}),
                            use("l1, largest", {x: a}), use("l1, largest", {x: b}))),
            step("same scale", theta_l == (n - o) / epsilon and theta_1 == theta_l,
                 arithmetic("one distance", "(4)", "l1")),
        ],
    ),
    breaks=[
        edit("drop (19)", "one distance", instance(
            theta_1=1, theta_l=2, epsilon=1, X=[0, 1, 2], a=0, b=1, c=0, d=1, o=0, n=2,
            pi={(0, 1): 1})),
        edit("drop (4)", "same scale", instance(
            theta_1=5, theta_l=2, epsilon=1, X=[0, 1, 2], a=0, b=2, c=0, d=2, o=0, n=2,
            pi={(0, 2): 1})),
        edit("drop (4), largest", "one distance", instance(
            theta_1=1, theta_l=2, epsilon=1, X=[0, 1, 2], a=0, b=1, c=0, d=2, o=0, n=2,
            pi={(0, 1): 1/2, (0, 2): 1/2})),
        edit("drop l1", "same scale", instance(
            theta_1=2, theta_l=5, epsilon=1, X=[0, 1, 2], a=0, b=2, c=0, d=2, o=0, n=2,
            pi={(0, 2): 1})),
        edit("drop l1, largest", "one distance", instance(
            theta_1=2, theta_l=1, epsilon=1, X=[0, 1, 2], a=0, b=2, c=0, d=2, o=0, n=1,
            pi={(0, 2): 1})),
    ],
)
