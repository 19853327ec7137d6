"""Remark 5.2: the share of mass on the diagonal under the form of Proposition 5.1 (2)."""
from pfverify.proof.language import *

x, z = indices("x z", "X")
o, n = member("o n", "X")  # the letters 0 and n
(P, Q), pi = masses("P Q"), masses("pi")
same = indicator(x - z) * indicator(z - x)
at_n = indicator(x - n) * indicator(n - x)
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
            step("one column", implies(z != x, same == 0), arithmetic()),
            step("row", total(pi(x, z) * same, z) == pi(x, x),
                 single("one column", z, weight=pi(x, z))),
            step("rows", on == total(pi(x, x), x), integrate("row", x)),
            step("no third", implies(x != o, pi(x, x) * (1 - at_n) == 0),
                 arithmetic("form", use("form", {z: x}))),
            step("at 0", total(pi(x, x) * (1 - at_n), x) == pi(o, o) * (1 - at(at_n, {x: o})),
                 single("no third", x)),
            step("else", implies(x != n, at_n == 0), arithmetic()),
            step("at n", total(pi(x, x) * at_n, x) == pi(n, n), single("else", x, weight=pi(x, x))),
            step("on", on == diagonal,
                 arithmetic("rows", "at 0", "at n", "corner", use("form", {x: n, z: o}))),
            step("a mass", 0 <= pi(x, z) * (1 - same), arithmetic()),
            step("off", pi(o, n) * (1 - at(at_n, {x: o})) <= off,
                 one_term("a mass", {x: o, z: n})),
            step("off the diagonal", off == 1 - diagonal and off > 0,
                 arithmetic("on", "sum", "off", "corner")),
            step("ratio", on / off == diagonal / (1 - diagonal),
                 arithmetic("on", "off the diagonal")),
        ],
    ),
    breaks=[
        edit("drop corner", "on", instance(X=[0, 1], o=0, n=0, P={0: 3/4, 1: 1/4},
                                            Q={0: 3/4, 1: 1/4},
                                            pi={(0, 0): 1/2, (0, 1): 1/4, (1, 0): 1/4})),
    ],
)
