"""F101: every divergence bounds the errors of every test from below.

A test rejects P with the chance T(y) at an output y; a = the chance that it rejects P though P is
true (type I), b = the chance that it keeps P though Q is true (type II). G(E) is the mean of the
positive part of q - E p: the divergence of Q from P.

Symbols:
E: a place
y: an output
p, q: densities under the two secrets
T: the chance that a test rejects
most: a bound of both densities
u: a number that is at least G
"""
from pfverify.proof.language import *

E, most, u = constants("E most u")
y, (p, q, T) = draws("y", "S"), masses("p q T")
G = mean(maximum(q(y) - E * p(y), 0), y)
a, b = mean(T(y) * p(y), y), 1 - mean(T(y) * q(y), y)

Claim(
    id="F101", source=paper("design", "F101"), result=PROVED,
    words="The chance of a type II error is at least 1 - G(E) - E times that of a type I error, "
          "for every E >= 0, so f(a) >= 1 - u - E a for every u >= G(E)",
    printed=proved(
        given={"E": 0 <= E, "T": T(y) <= 1, "bounds": p(y) <= most and q(y) <= most,
               "u": G <= u},
        example=instance(E=1, most=2, S=law({0: 1/2, 1: 1/2}), p={0: 2}, q={0: 1, 1: 1},
                         T={1: 1}, u=1/2),
        statement=1 - u - E * a <= b,
        steps=[
            step("terms", mean(T(y) * q(y) - E * (T(y) * p(y)), y) <= G,
                 termwise(arithmetic("T"), y)),
            step("all", 1 - u - E * a <= b, arithmetic("terms", "u")),
        ],
    ),
    breaks=[edit("drop T", "terms"), edit("drop u", "all")],
)
