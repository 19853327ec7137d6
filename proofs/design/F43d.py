"""F43: whatever the joint law, each coordinate adds at most its range over its scale.

Symbols:
x, z: atoms, of any number of coordinates
P, Q: masses of two priors
l: a coordinate
c: a coordinate of an atom
low: the least value of a coordinate
r: its range
w: one over its scale
y: the output of a coordinate
"""
from pfverify.proof.language import *

(x, z), l, (P, Q, w) = indices("x z", "X"), indices("l", "L"), masses("P Q w")
c, low, r, y = functions("c low r y")
m, spent = total(w(l) * abs(y(l) - c(l, x)), l), total(w(l) * r(l), l)
m_z, E, pair = at(m, {x: z}), exp(spent), P(x) * Q(z)
p, q = total(P(x) * exp(-m), x), total(Q(z) * exp(-m_z), z)

Claim(
    id="F43d", source=paper("design", "F43"), result=PROVED,
    words="If coordinate l of all atoms is in an interval of length r(l), the loss of releases of "
          "all coordinates with Laplace noise of scales 1/w(l) is at most the sum of r(l) w(l), "
          "whatever the joint laws",
    printed=proved(
        given={"laws": total(P(x), x) == 1 == total(Q(z), z),
               "P inside": P(x) == 0 or low(l) <= c(l, x) <= low(l) + r(l),
               "Q inside": Q(z) == 0 or low(l) <= c(l, z) <= low(l) + r(l)},
        example=instance(X=[0, 1], L=[1, 2], P={0: 1}, Q={1: 1}, w={1: 1, 2: 2}, y={1: 0, 2: 5},
                         c={(1, 0): 0, (2, 0): 0, (1, 1): 1, (2, 1): 1}, low={"else": 0},
                         r={"else": 1}),
        statement=p <= E * q,
        steps=[
            step("near", pair * (m_z - m) <= pair * spent, termwise(arithmetic(
                "P inside", "Q inside"), l)),
            step("pair", pair * exp(-m) <= E * (pair * exp(-m_z)), arithmetic("near")),
            step("pairs", total(pair * exp(-m), x, z) <= E * total(pair * exp(-m_z), x, z),
                 termwise(arithmetic("pair"), x, z)),
            step("all", p <= E * q, arithmetic("pairs", "laws")),
        ],
    ),
    breaks=[
        edit("drop P inside", "near", instance(
            X=[0, 1], L=[1], P={0: 1}, Q={1: 1}, w={1: 1}, y={1: 9}, c={(1, 0): 9, (1, 1): 0},
            low={1: 0}, r={1: 0})),
        edit("drop laws", "all"),
    ],
)
