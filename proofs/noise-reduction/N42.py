"""Remark 5.2: the share of mass on the diagonal under the form of Proposition 5.1 (2)."""
from pfverify.proof.language import *

(x, z), (o, n) = indices("x z", "X"), member("o n", "X")  # the letters 0 and n: o, n
(P, Q), pi = masses("P Q"), masses("pi")
same, at_o, at_n = indicator(-abs(x - z)), indicator(-abs(x - o)), indicator(-abs(x - n))
on, off = total(pi(x, z) * same, x, z), total(pi(x, z) * (1 - same), x, z)
diagonal = Q(o) + P(n)

Claim(
    id="N42", source=paper("noise-reduction", "Remark 5.2"), result=PROVED,
    words="The mass on the diagonal is to the mass off it as Q(0) + P(n) to 1 - Q(0) - P(n)",
    printed=proved(
        given={
            "form": implies(z != n, pi(o, z) == Q(z)) and implies(x != o, pi(x, n) == P(x))
                    and implies(x != o and z != n, pi(x, z) == 0),
            "corner": pi(o, n) == P(o) + Q(n) - 1 and pi(o, n) > 0 and o != n,
            "sum": total(pi(x, z), x, z) == 1,
        },
        example=instance(X=[0, 1, 2], o=0, n=2, P={0: 3/4, 1: 1/8, 2: 1/8}, Q={0: 1/4, 2: 3/4},
                         pi=plan({0: 3/4, 1: 1/8, 2: 1/8}, {0: 1/4, 2: 3/4})),
        statement=on / off == diagonal / (1 - diagonal),
        steps=[
            step("diagonal", on == total(pi(x, x), x),
                 theorem("F26", {"f": maps(x, z, pi(x, z))})),
            step("one letter", total(pi(x, x) * same, x) == pi(z, z),
                 theorem("F26", {"f": maps(x, z, pi(x, x))})),
            step("0 and n", total(pi(x, x), x)
                 == total(pi(x, x) * at_o, x) + total(pi(x, x) * at_n, x),
                 termwise(arithmetic("corner", use("form", {z: x})), x)),
            step("on", on == diagonal, arithmetic(
                "diagonal", "0 and n", use("one letter", {z: o}), use("one letter", {z: n}),
                "corner", use("form", {x: n, z: o}))),
            step("a mass", 0 <= pi(x, z) * (1 - same), arithmetic()),
            step("off", pi(o, n) * (1 - at(same, {x: o, z: n})) <= off,
                 one_term("a mass", {x: o, z: n})),
            step("ratio", on / off == diagonal / (1 - diagonal),
                 arithmetic("on", "off", "sum", "corner")),
        ],
    ),
    breaks=[
        edit("corner = pi(o, n) == P(o) + Q(n) - 1 and pi(o, n) > 0", "0 and n", instance(
            X=[0], o=0, n=0, P={0: 1}, Q={0: 1}, pi={(0, 0): 1})),
        edit("diagonal = Q(o)", "on", instance(
            X=[0, 1], o=0, n=1, P={0: 3/4, 1: 1/4}, Q={0: 1/2, 1: 1/2},
            pi=plan({0: 3/4, 1: 1/4}, {0: 1/2, 1: 1/2}))),
    ],
)
