"""F63: between neighbouring turning points the excess of most over E least is a u + C + c/u.

Turning points are x - r and x + r for the atoms x of the one centre, and the atoms of the other.
What is left of b is in a, what is right of d in c, what reaches over all of [b, d] in C.

Symbols:
rho: one over the scale
E: e^epsilon
r, s: how far mass of the one centre and of the other moves at most
b, d: the two neighbours
y: an output between them
x: an atom of the one centre
z: an atom of the other
P, Q: masses of the two centres
"""
from pfverify.proof.language import *

(rho, E), (r, s, b, d), y = positive("rho E"), constants("r s b d"), variables("y")
x, z, (P, Q) = indices("x", "X"), indices("z", "Z"), masses("P Q")
near, far = exp(-rho * maximum(abs(y - x) - r, 0)), exp(-rho * (abs(y - z) + s))
excess = total(P(x) * near, x) - E * total(Q(z) * far, z)
u, end, inside = exp(-rho * (y - b)), exp(-rho * (d - b)), b <= y and y <= d
left_x, right_x = indicator(b - x - r), indicator(x - r - d)
over_x = indicator(b - x + r) * indicator(x + r - d)
left_z, right_z = indicator(b - z), indicator(z - d)
a_x, c_x = left_x * exp(-rho * (b - x - r)), right_x * exp(-rho * (x - r - b))
a_z, c_z = left_z * exp(-rho * (b - z + s)), right_z * exp(-rho * (z - b + s))
a = total(P(x) * a_x, x) - E * total(Q(z) * a_z, z)
c = total(P(x) * c_x, x) - E * total(Q(z) * c_z, z)
C = total(P(x) * over_x, x)
made = implies(inside, excess == a * u + C + c / u and end <= u and u <= 1)

Claim(
    id="F63b", source=paper("design", "F63"), result=PROVED,
    words="For b <= y <= d with no turning point strictly inside, most(y) - E least(y) is "
          "a u + C + c/u with u = exp(-rho (y - b)), from exp(-rho (d - b)) to 1, where a, c and C "
          "are sums over the atoms in which y does not occur",
    printed=proved(
        given={"piece": b < d, "r": r >= 0,
               "no x - r inside": x - r <= b or d <= x - r,
               "no x + r inside": x + r <= b or d <= x + r, "no z inside": z <= b or d <= z},
        example=instance(rho=1, E=2, r=1, s=1, b=1, d=2, X=[0, 3/2, 3], Z=[0, 3],
                         P={0: 1/4, 3/2: 1/2, 3: 1/4}, Q={0: 1/2, 3: 1/2}),
        statement=made,
        steps=[
            step("u", implies(inside, end <= u and u <= 1), arithmetic()),
            step("positions", x + r <= b or d <= x - r or x - r <= b and d <= x + r, arithmetic(
                "no x - r inside", "no x + r inside")),
            step("left", exp(-rho * (y - x - r)) == u * exp(-rho * (b - x - r)), identity()),
            step("right", exp(-rho * (x - r - y)) == exp(-rho * (x - r - b)) / u, identity()),
            step("left Q", exp(-rho * (y - z + s)) == u * exp(-rho * (b - z + s)), identity()),
            step("right Q", exp(-rho * (z - y + s)) == exp(-rho * (z - b + s)) / u, identity()),
            step("near left", implies(x + r <= b and inside, near == exp(-rho * (y - x - r))),
                 arithmetic("r")),
            step("near right", implies(d <= x - r and inside, near == exp(-rho * (x - r - y))),
                 arithmetic("r")),
            step("near over", implies(x - r <= b and d <= x + r and inside, near == 1),
                 arithmetic()),
            step("far left", implies(z <= b and inside, far == exp(-rho * (y - z + s))),
                 arithmetic()),
            step("far right", implies(d <= z and inside, far == exp(-rho * (z - y + s))),
                 arithmetic()),
            step("sides", left_x + right_x + over_x == 1, arithmetic("positions", "piece", "r")),
            step("of P", implies(inside, total(P(x) * near, x) == total(
                P(x) * (a_x * u + over_x + c_x / u), x)), termwise(arithmetic(
                    "positions", "piece", "r", "near left", "near right", "near over", "left",
                    "right"), x, weight=P(x))),
            step("of Q", implies(inside, total(Q(z) * far, z) == total(
                Q(z) * (a_z * u + c_z / u), z)), termwise(arithmetic(
                    "no z inside", "piece", "far left", "far right", "left Q", "right Q"),
                    z, weight=Q(z))),
            step("all", made, arithmetic("of P", "of Q", "u")),
        ],
    ),
    meaning=[total(P(x), x) == 1, total(Q(z), z) == 1, s >= 0, E > 1],
    breaks=[
        edit("drop no x - r inside", "positions"), edit("drop no x + r inside", "positions"),
        edit("drop no z inside", "of Q"), edit("drop piece", "sides"), edit("drop r", "near left"),
    ],
)
