"""(1): the ratio of the two densities, which Laplace noise makes positive, and what it bounds.

P and Q are any laws of X given the two secrets, for a belief rho.
"""
from pfverify.proof.language import *

(theta, epsilon, w), (y, u) = positive("theta epsilon w"), variables("y u")  # w: odds before
x, z, B = draws("x", "P"), draws("z", "Q"), masses("B")  # B(y): 0 or 1 for a plain event
k_x, k_z = exp(-abs(y - x) / theta) / (2 * theta), exp(-abs(y - z) / theta) / (2 * theta)
E, p, q = exp(epsilon), mean(k_x, x), mean(k_z, z)
ratio, orders = 1 / E <= p / q and p / q <= E, p <= E * q and q <= E * p
odds = w / E <= w * p / q and w * p / q <= w * E
P_B, Q_B = integral(B(y) * p, y, -oo, oo), integral(B(y) * q, y, -oo, oo)

Claim(
    id="M01", source=paper("multi-user", "(1)"), result=PROVED,
    words="(1) says that p <= e^epsilon q and q <= e^epsilon p for the two densities, or that "
          "the odds of the secrets change by a factor from e^-epsilon to e^epsilon, at every y",
    printed=proved(
        statement=q > 0 and iff(ratio, orders) and iff(ratio, odds),
        steps=[
            step("q", q > 0, theorem("F31", {"b": theta, "P": "Q", "v": y, "y": u})),
            step("(1)", iff(ratio, orders), arithmetic("q")),
            step("odds", iff(ratio, odds), arithmetic("q")),
        ],
    ),
    tighter=proved(
        words="So every event's chances (M02) differ by a factor of at most e^epsilon",
        given={"event": B(u) <= 1, "(1)": at(orders, {y: u})},
        example=instance(theta=1, epsilon=1, P=law({0: 1}), Q=law({1: 1}), B={}),
        statement=P_B <= E * Q_B and Q_B <= E * P_B,
        steps=[
            step("first", P_B <= E * Q_B, theorem("F33", {"b": theta, "E": E}, "event", "(1)")),
            step("second", Q_B <= E * P_B, theorem(
                "F33", {"b": theta, "E": E, "P": "Q", "Q": "P"}, "event", "(1)")),
        ],
    ),
    breaks=[
        edit("drop (1)", "first"),
        edit("ratio = p / q <= E", "(1)", instance(
            theta=1, epsilon=1, w=1, P=law({3: 1}), Q=law({0: 1}), B={}), {y: 0}),
    ],
)
