"""F9, the linear programme: a coupling that fits gives both orders, multipliers exclude any."""
from pfverify.proof.language import *

theta, E = positive("theta E")
y = variables("y")
x, z = indices("x z", "X")
P, Q, pi, w = masses("P Q pi w")
u, v = functions("u v")
near, far = exp(-abs(y - z) / theta), exp(-abs(y - x) / theta)
grow, shrink = exp(abs(x - z) / theta), exp(-abs(x - z) / theta)
p, q = total(P(x) * far, x), total(Q(z) * near, z)
column, reach, stay = (total(pi(x, z) * grow, x), total(pi(x, z) * far, x),
                       total(pi(x, z) * shrink, x))
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
            step("triangle", far <= near * grow, arithmetic()),
            step("column", reach <= near * column, integrate("triangle", x, weight=pi(x, z))),
            step("bound", reach <= E * near * Q(z), arithmetic("column", "fits")),
            step("sum", total(reach, z) <= E * q, integrate("bound", z)),
            step("triangle back", near * shrink <= far, arithmetic()),
            step("tangent", 2 / E - grow / E**2 <= shrink, arithmetic()),
            step("low", near * stay <= reach, integrate("triangle back", x, weight=pi(x, z))),
            step("Jensen", 2 / E * total(pi(x, z), x) - column / E**2 <= stay,
                 integrate("tangent", x, weight=pi(x, z))),
            step("back", near * Q(z) <= E * reach, arithmetic("fits", "columns", "low", "Jensen")),
            step("sum back", q <= E * total(reach, z), integrate("back", z)),
            step("p", total(reach, z) == p, integrate("rows", x, weight=far)),
            step("edges", total(pi(x, z) * (u(x) + v(z)), x, z)
                 <= total(w(z) * column, z) - E * total(pi(x, z) * w(z), x, z),
                 integrate("multipliers", x, z, weight=pi(x, z))),
            step("u P", total(pi(x, z) * u(x), x, z) == u_P, integrate("rows", x, weight=u(x))),
            step("v Q", total(pi(x, z) * v(z), x, z) == v_Q, integrate("columns", z, weight=v(z))),
            step("w Q", total(pi(x, z) * w(z), x, z) == w_Q, integrate("columns", z, weight=w(z))),
            step("w fits", total(w(z) * column, z) <= E * w_Q, integrate("fits", z, weight=w(z))),
            step("Farkas", claimed,
                 arithmetic("sum", "sum back", "p", "edges", "u P", "v Q", "w Q", "w fits")),
        ],
    ),
    breaks=[
        edit("drop fits", "bound", instance(
            theta=1, E=3/2, X=[0, 1], P={0: 1}, Q={1: 1}, pi={(0, 1): 1}, w={}, u={"else": 0},
            v={"else": 0}), {y: 0}),
        edit("drop rows", "p", instance(
            theta=1, E=2, X=[0, 1], P={0: 1}, Q={}, pi={}, w={}, u={"else": 0}, v={"else": 0}),
            {y: 0}),
    ],
)
