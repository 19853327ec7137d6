"""(22), (24): which distribution function is the smaller one, and where the plan has no mass."""
from pfverify.proof.language import *

p, q, x, z = constants("p q x z")  # x and z are whole numbers: z <= x or x + 1 <= z
u, v = variables("u v")
r = indices("r", "X")
f = masses("f")  # of the sum of the other users' reports
H = total(f(r) * indicator(u - r), r)
F = (1 - p) * H + p * at(H, {u: u - 1})  # with one user more, Bernoulli(p)
G = (1 - q) * at(H, {u: v}) + q * at(H, {u: v - 1})
J = minimum(F, G)
entry = (at(J, {u: x, v: z}) - at(J, {u: x - 1, v: z})
         - at(J, {u: x, v: z - 1}) + at(J, {u: x - 1, v: z - 1}))
table_22 = (implies(v <= u, J == G) and implies(u + 1 <= v, J == F))
table_24 = (implies(v + 1 <= u, J == G) and implies(u <= v, J == F))
support_22 = implies(z <= x - 1 or x + 2 <= z, entry == 0)
support_24 = implies(z <= x - 2 or x + 1 <= z, entry == 0)
both = (implies(p < q, table_22) and implies(q < p, table_24)
        and implies(p < q, support_22) and implies(q < p, support_24))

Claim(
    id="M33", source=paper("multi-user", "(22), (24)"), result=PROVED,
    words="If p < q the smaller distribution function is Q's at x' <= x and P's at x' > x, and the "
          "plan has mass at x' = x and x' = x + 1 only; if p > q likewise with x' = x - 1",
    printed=proved(
        given={"probabilities": 0 <= p and p <= 1 and 0 <= q and q <= 1},
        example=[instance(X=[0, 1, 2], p=1/5, q=9/10, x=1, z=3, f={0: 1/2, 1: 1/4, 2: 1/4}),
                 instance(X=[0, 1, 2], p=9/10, q=1/5, x=1, z=2, f={0: 1/2, 1: 1/4, 2: 1/4})],
        statement=both,
        steps=[
            step("more", implies(u <= v, indicator(u - r) <= indicator(v - r)), arithmetic()),
            step("H grows", implies(u <= v, H <= at(H, {u: v})),
                 integrate("more", r, weight=f(r))),
            step("tables", implies(p < q, table_22) and implies(q < p, table_24), arithmetic(
                "probabilities", "H grows", use("H grows", {u: v, v: u}),
                use("H grows", {u: u - 1, v: u}), use("H grows", {u: v - 1, v: v}),
                use("H grows", {u: u, v: v - 1}), use("H grows", {u: v, v: u - 1}),
                use("H grows", {u: u - 1, v: v - 1}), use("H grows", {u: v - 1, v: u - 1}))),
            step("supports", both, arithmetic(
                "tables", use("tables", {u: x, v: z}), use("tables", {u: x - 1, v: z}),
                use("tables", {u: x, v: z - 1}), use("tables", {u: x - 1, v: z - 1}))),
        ],
    ),
)
