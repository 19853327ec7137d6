"""(22), (24): which distribution function is the smaller one, and where the plan has no mass."""
from pfverify.proof.language import *

p, q, x, z = constants("p q x z")  # x and z are whole numbers: z <= x or x + 1 <= z
(u, v), r = variables("u v"), indices("r", "X")
f = masses("f")  # of the sum of the other users' reports
H = total(f(r) * indicator(u - r), r)
F = (1 - p) * H + p * at(H, {u: u - 1})  # with one user more, Bernoulli(p)
G = (1 - q) * at(H, {u: v}) + q * at(H, {u: v - 1})
J = minimum(F, G)
entry = difference(difference(J, u, x), v, z)
table_22 = implies(p < q, implies(v <= u, J == G) and implies(u + 1 <= v, J == F))
table_24 = implies(q < p, implies(v + 1 <= u, J == G) and implies(u <= v, J == F))
support_22 = implies(p < q, implies(z <= x - 1 or x + 2 <= z, entry == 0))
support_24 = implies(q < p, implies(z <= x - 2 or x + 1 <= z, entry == 0))

Claim(
    id="M33", source=paper("multi-user", "(22), (24)"), result=PROVED,
    words="If p < q the smaller distribution function is Q's at x' <= x and P's at x' > x, and the "
          "plan has mass at x' = x and x' = x + 1 only; if p > q likewise with x' = x - 1",
    printed=proved(
        given={"probabilities": 0 <= p and p <= 1 and 0 <= q and q <= 1},
        example=[instance(X=[0, 1, 2], p=1/5, q=9/10, x=1, z=3, f={0: 1/2, 1: 1/4, 2: 1/4}),
                 instance(X=[0, 1, 2], p=9/10, q=1/5, x=1, z=2, f={0: 1/2, 1: 1/4, 2: 1/4})],
        statement=table_22 and table_24 and support_22 and support_24,
        steps=[
            step("more", implies(u <= v, indicator(u - r) <= indicator(v - r)), arithmetic()),
            step("H", implies(u <= v, H <= at(H, {u: v})), integrate("more", r, weight=f(r))),
            step("rise", at(H, {u: u - 1}) <= H and at(H, {u: v - 1}) <= at(H, {u: v}),
                 arithmetic(use("H", {u: u - 1, v: u}), use("H", {u: v - 1}))),
            step("table", table_22 and table_24, arithmetic(
                "probabilities", "rise", "H", use("H", {u: v, v: u}), use("H", {v: v - 1}),
                use("H", {u: v, v: u - 1}), use("H", {u: u - 1, v: v - 1}),
                use("H", {u: v - 1, v: u - 1}))),
            step("support", support_22 and support_24, arithmetic(
                use("table", {u: x, v: z}), use("table", {u: x - 1, v: z}),
                use("table", {u: x, v: z - 1}), use("table", {u: x - 1, v: z - 1}))),
        ],
    ),
    breaks=[
        edit("drop probabilities", "table", instance(X=[0], p=1/2, q=2, x=0, z=0, f={0: 1}),
             {u: -1, v: 0}),
    ],
)
