"""F63: before the first turning point, and after the last, most - E least only fades.

Turning points are x - r and x + r for the atoms x of the one centre, and the atoms of the other.
Most and least fade alike, so that their ratio is constant there.

Symbols:
rho: one over the scale
E: e^epsilon
r, s: how far mass of the one centre and of the other moves at most
o, n: the first and the last turning point
y: an output
x: an atom of the one centre
z: an atom of the other
P, Q: masses of the two centres
"""
from pfverify.proof.language import *

(rho, E), (r, s, o, n), y = positive("rho E"), constants("r s o n"), variables("y")
x, z, (P, Q) = indices("x", "X"), indices("z", "Z"), masses("P Q")
near, far = exp(-rho * maximum(abs(y - x) - r, 0)), exp(-rho * (abs(y - z) + s))
most, least = total(P(x) * near, x), total(Q(z) * far, z)
most_o, least_o, before = at(most, {y: o}), at(least, {y: o}), exp(-rho * (o - y))
most_n, least_n, after = at(most, {y: n}), at(least, {y: n}), exp(-rho * (y - n))
fades_left = (most == before * most_o and least == before * least_o
              and most - E * least == before * (most_o - E * least_o))
fades_right = (most == after * most_n and least == after * least_n
               and most - E * least == after * (most_n - E * least_n))
first, last = implies(y <= o, fades_left), implies(n <= y, fades_right)

Claim(
    id="F63d", source=paper("design", "F63"), result=PROVED,
    words="Right of the last turning point n most(y) and least(y), and so most(y) - E least(y), "
          "are exp(-rho (y - n)) times what they are at n; left of the first one o they are "
          "exp(-rho (o - y)) times what they are at o",
    printed=proved(
        given={"r": r >= 0, "first": o <= x - r, "last": x + r <= n, "first of Q": o <= z,
               "last of Q": z <= n},
        example=instance(rho=1, E=2, r=1, s=1, o=-1, n=3, X=[0, 2], Z=[0, 3],
                         P={0: 1/2, 2: 1/2}, Q={0: 1/2, 3: 1/2}),
        statement=first and last,
        steps=[
            step("most left", implies(y <= o, most == before * most_o), termwise(
                arithmetic("r", "first"), x, weight=P(x))),
            step("least left", implies(y <= o, least == before * least_o), termwise(
                arithmetic("first of Q"), z, weight=Q(z))),
            step("most right", implies(n <= y, most == after * most_n), termwise(
                arithmetic("r", "last"), x, weight=P(x))),
            step("least right", implies(n <= y, least == after * least_n), termwise(
                arithmetic("last of Q"), z, weight=Q(z))),
            step("all", first and last, arithmetic(
                "most left", "least left", "most right", "least right")),
        ],
    ),
    meaning=[total(P(x), x) == 1, total(Q(z), z) == 1, s >= 0, E > 1],
    breaks=[
        edit("drop first", "most left"), edit("drop first of Q", "least left"),
        edit("drop last", "most right"), edit("drop last of Q", "least right"),
    ],
)
