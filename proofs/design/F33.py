"""F33: densities within a factor, with Laplace noise, give events within that factor."""
from pfverify.proof.language import *

(b, E), (y, u) = positive("b E"), variables("y u")
x, z, B = draws("x", "P"), draws("z", "Q"), masses("B")  # B(y): 0 or 1 for a plain event
p = mean(exp(-abs(y - x) / b) / (2 * b), x)
q = mean(exp(-abs(y - z) / b) / (2 * b), z)
P_B, Q_B = integral(B(y) * p, y, -oo, oo), integral(B(y) * q, y, -oo, oo)

Claim(
    id="F33", source=paper("design", "F33"), result=PROVED,
    words="If the density of one release is at most E times that of another at every y, so is the "
          "chance of every event",
    printed=proved(
        given={"event": B(u) <= 1, "order": at(p <= E * q, {y: u})},
        example=instance(b=1, E=3, P=law({0: 1}), Q=law({0: 1}), B={}),
        statement=P_B <= E * Q_B,
        steps=[
            step("mass P", integral(p, y, -oo, oo) == 1, theorem("F31", {})),
            step("mass Q", integral(q, y, -oo, oo) == 1, theorem("F31", {"P": "Q"})),
            step("p", 0 <= p, termwise(arithmetic(), x)),
            step("q", 0 <= q, termwise(arithmetic(), z)),
            step("in P", abs(B(y) * p) <= p, arithmetic(use("event", {u: y}), "p")),
            step("P(B)", abs(P_B) <= integral(p, y, -oo, oo), dominated("in P")),
            step("in Q", abs(B(y) * q) <= q, arithmetic(use("event", {u: y}), "q")),
            step("Q(B)", abs(Q_B) <= integral(q, y, -oo, oo), dominated("in Q")),
            step("at y", B(y) * p <= E * B(y) * q, arithmetic(use("order", {u: y}))),
            step("chance", P_B <= E * Q_B, integrate("at y", y, between=(-oo, oo))),
        ],
    ),
    breaks=[
        edit("drop order", "at y", instance(
            b=1, E=1, P=law({0: 1}), Q=law({3: 1}), B={0: 1}), {y: 0}),
        edit("drop event", "in P", instance(
            b=1, E=1, P=law({0: 1}), Q=law({0: 1}), B={0: 2}), {y: 0}),
    ],
)
