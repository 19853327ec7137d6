"""F50: Laplace noise for all records at once: group privacy.

P and Q are the laws of a sum of T records, each between a and a + L: of one between m = T a and
m + r, r = L T, whatever each record tells about the others.

Symbols:
theta: the scale
r: the length of the interval
m: its least point
y: an output
x, z: values of the sum
P, Q: masses of its two laws
"""
from pfverify.proof.language import *

(theta, r), m = positive("theta r"), constants("m")
y, (x, z), (P, Q) = variables("y"), indices("x z", "X"), masses("P Q")
E, kx, kz = exp(r / theta), exp(-abs(y - x) / theta), exp(-abs(y - z) / theta)
p, q = total(P(x) * kx, x), total(Q(z) * kz, z)

Claim(
    id="F50", source=paper("design", "F50"), result=PROVED,
    words="Of two laws in one interval of length r, such as those of a sum of T records of which "
          "each moves it by at most L = r/T, the releases with Laplace(theta) noise differ at most "
          "by e^(r/theta): theta = L T/epsilon is private, whatever the correlation",
    printed=proved(
        given={"P is a law": total(P(x), x) == 1, "Q is a law": total(Q(z), z) == 1,
               "P inside": P(x) == 0 or m <= x and x <= m + r,
               "Q inside": Q(z) == 0 or m <= z and z <= m + r},
        example=instance(theta=1, r=1, m=0, X=[0, 1], P={0: 1}, Q={1: 1}),
        statement=p <= E * q,
        steps=[
            step("near", P(x) * Q(z) * kx <= E * (P(x) * Q(z) * kz),
                 arithmetic("P inside", "Q inside", hints=[E, kx, kz])),
            step("pairs", total(P(x) * Q(z) * kx, x, z) <= E * total(P(x) * Q(z) * kz, x, z),
                 termwise(arithmetic("near"), x, z)),
            step("all", p <= E * q, arithmetic("pairs", "P is a law", "Q is a law")),
        ],
    ),
    breaks=[
        edit("drop P inside", "near", instance(
            theta=1, r=1, m=0, X=[0, 5], P={5: 1}, Q={0: 1}), {y: 5}),
        edit("drop Q inside", "near", instance(
            theta=1, r=1, m=0, X=[0, 5], P={0: 1}, Q={5: 1}), {y: 0}),
    ],
)
