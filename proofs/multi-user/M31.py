"""(20): a condition on each column of any coupling suffices, for both orders."""
from pfverify.proof.language import *

(theta, epsilon), y = positive("theta epsilon"), variables("y")
(x, z), pi, E = indices("x z", "X"), masses("pi"), exp(epsilon)  # z is x'
far, near = exp(-abs(y - x) / theta) / (2 * theta), exp(-abs(y - z) / theta) / (2 * theta)
p, q = total(pi(x, z) * far, x, z), total(pi(x, z) * near, x, z)
s, w, X = draws("s", "Q"), draws("w", "W"), functions("X")
move = exp(abs(X(w, s) - s) / theta)
P, Q = mean(exp(-abs(y - X(w, s)) / theta), s, w), mean(exp(-abs(y - s) / theta), s)

Claim(
    id="M31", source=paper("multi-user", "(20)"), result=PROVED,
    words="If the sum over x of pi(x,x') (e^(|x-x'|/theta) - e^epsilon) is at most 0 for every x', "
          "where pi is any coupling, the release of the first prior is at most e^epsilon times the "
          "other one everywhere, and the other way round",
    printed=proved(
        given={"(20)": total((exp(abs(x - z) / theta) - E) * pi(x, z), x) <= 0},
        example=instance(theta=1, epsilon=1, X=[0, 1], pi={(0, 0): 1/2, (1, 1): 1/4, (0, 1): 1/4}),
        statement=p <= E * q and q <= E * p,
        steps=[
            step("scaled", 2 * theta * p <= E * 2 * theta * q
                 and 2 * theta * q <= E * 2 * theta * p, theorem("N09", {"E": E}, "(20)")),
            step("orders", p <= E * q and q <= E * p, arithmetic("scaled")),
        ],
    ),
    tighter=proved(
        words="So it is for couplings of any laws: x' is drawn from Q, and x, given x', is X(w, "
              "x') with w drawn from a law of its own (2 theta times the densities)",
        given={"exists": integrable(move, w), "(20)": mean(move, w) <= E},
        example=instance(theta=1, epsilon=1, Q=law({0: 1/2, 1: 1/2}), W=law({0: 1}),
                         X={(0, 0): 0, (0, 1): 0}),
        statement=P <= E * Q and Q <= E * P,
        steps=[step("orders", P <= E * Q and Q <= E * P, theorem(
            "F35", {"b": theta, "E": E}, "(20)"))],
    ),
    breaks=[
        edit("drop (20)", "scaled", instance(
            theta=1, epsilon=1/2, X=[0, 1], pi={(0, 1): 1}), {y: 0}),
    ],
)
