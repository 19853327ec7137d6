"""F63: at an output y one law of the ball releases most(y), and one least(y).

All mass of an atom x goes as near to y as it may, min(r, |y - x|) towards y; all of an atom z of
the other centre goes s away from y.

Symbols:
rho: one over the scale
r, s: how far mass of the one centre and of the other moves at most
y: an output
x: an atom of the one centre
z: an atom of the other
P, Q: masses of the two centres
"""
from pfverify.proof.language import *

rho, (r, s), y = positive("rho"), constants("r s"), variables("y")
x, z, (P, Q) = indices("x", "X"), indices("z", "Z"), masses("P Q")
near, far = exp(-rho * maximum(abs(y - x) - r, 0)), exp(-rho * (abs(y - z) + s))
to_x, to_z = x + maximum(-r, minimum(r, y - x)), z + s - 2 * s * indicator(y - z)
most, least = total(P(x) * near, x), total(Q(z) * far, z)
p, q = total(P(x) * exp(-rho * abs(y - to_x)), x), total(Q(z) * exp(-rho * abs(y - to_z)), z)
reach = abs(to_x - x) == minimum(r, abs(y - x)) and abs(to_z - z) == s
sides = (to_x - x) * (y - x) >= 0 and (to_z - z) * (y - z) <= 0

Claim(
    id="F63e", source=paper("design", "F63"), result=PROVED,
    words="If every atom of P moves min(r, |y - x|) towards y, what is released at y is most(y); "
          "if every atom of Q moves s away from y, it is least(y)",
    printed=proved(
        given={"r": r >= 0, "s": s >= 0},
        example=instance(rho=1, r=1, s=1, X=[0, 2], Z=[0, 3], P={0: 1/2, 2: 1/2},
                         Q={0: 1/2, 3: 1/2}),
        statement=p == most and q == least and reach and sides,
        steps=[
            step("reach", reach, arithmetic("r", "s")),
            step("sides", sides, arithmetic("r", "s")),
            step("most", p == most, termwise(arithmetic("r"), x, weight=P(x))),
            step("least", q == least, termwise(arithmetic("s"), z, weight=Q(z))),
            step("all", p == most and q == least and reach and sides, arithmetic(
                "most", "least", "reach", "sides")),
        ],
    ),
    meaning=[total(P(x), x) == 1, total(Q(z), z) == 1],
    breaks=[edit("drop r", "reach"), edit("drop s", "reach")],
)
