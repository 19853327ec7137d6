"""F9, the linear programme: a coupling that fits gives both orders, multipliers exclude any."""
from pfverify.proof.language import *

theta, E = positive("theta E")
y = variables("y")
x, z = indices("x z", "X")
(P, Q, pi, w), (u, v) = masses("P Q pi w"), functions("u v")
near, far = exp(-abs(y - z) / theta), exp(-abs(y - x) / theta)
grow = exp(abs(x - z) / theta)
p, q = total(P(x) * far, x), total(Q(z) * near, z)
column = total(pi(x, z) * grow, x)
p_pi, q_pi = total(pi(x, z) * far, x, z), total(pi(x, z) * near, x, z)
u_P, v_Q, w_Q = total(u(x) * P(x), x), total(v(z) * Q(z), z), total(w(z) * Q(z), z)
claimed = p <= E * q and q <= E * p and u_P + v_Q <= 0

Claim(
    id="F9LP", source=paper("design", "F9"), result=PROVED,
    words="If the columns of a coupling fit, both orders hold, and no multipliers u, v and w >= 0 "
          "with u(x) + v(x') <= w(x') (e^(|x-x'|/theta) - e^epsilon) sum to more than 0",
    printed=proved(
        given={
            "rows": total(pi(x, z), z) == P(x), "columns": total(pi(x, z), x) == Q(z),
            "fits": column <= E * Q(z), "multipliers": u(x) + v(z) <= w(z) * (grow - E),
        },
        example=instance(theta="1/log(2)", E=4, X=[0, 1], P={0: 3/4, 1: 1/4}, Q={0: 1/2, 1: 1/2},
                         pi={(0, 0): 1/2, (1, 1): 1/4, (0, 1): 1/4}, w={0: 1, 1: 1},
                         u={0: -2, 1: -2}, v={0: -1, 1: -1}),
        statement=claimed,
        steps=[
            step("orders", p_pi <= E * q_pi and q_pi <= E * p_pi, theorem(
                "N09", {}, "fits", "columns")),
            step("P", p_pi == p, integrate("rows", x, weight=far)),
            step("Q", q_pi == q, integrate("columns", z, weight=near)),
            step("gain", u_P + v_Q + E * w_Q <= total(w(z) * column, z), theorem("F28", {
                "f": u, "g": maps(z, v(z) + E * w(z)), "c": maps(x, z, w(z) * grow)},
                "rows", "columns", "multipliers")),
            step("w fits", total(w(z) * column, z) <= E * w_Q, integrate("fits", z, weight=w(z))),
            step("Farkas", claimed, arithmetic("orders", "P", "Q", "gain", "w fits")),
        ],
    ),
    breaks=[
        edit("drop fits", "orders", instance(
            theta=1, E=3/2, X=[0, 1], P={0: 1}, Q={1: 1}, pi={(0, 1): 1}, w={}, u={"else": 0},
            v={"else": 0}), {y: 0}),
        edit("drop rows", "P", instance(
            theta=1, E=2, X=[0, 1], P={0: 1}, Q={}, pi={}, w={}, u={"else": 0}, v={"else": 0}),
            {y: 0}),
    ],
)
