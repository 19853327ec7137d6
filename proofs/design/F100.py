"""F100: the divergence of Q from P at 1/E says that of P from Q at E.

As in F99, with G that of Q from P.

Symbols:
E: a place above 0
y: an output
p, q: densities under the two secrets
most: a bound of both densities
"""
from pfverify.proof.language import *

E, most = positive("E"), constants("most")
y, (p, q) = draws("y", "S"), masses("p q")
H = mean(maximum(p(y) - E * q(y), 0), y)
G = mean(maximum(q(y) - p(y) / E, 0), y)

Claim(
    id="F100", source=paper("design", "F100"), result=PROVED,
    words="H at E is 1 - E + E G at 1/E, where G is the divergence of Q from P",
    printed=proved(
        given={"bounds": p(y) <= most and q(y) <= most,
               "P": mean(p(y), y) == 1, "Q": mean(q(y), y) == 1},
        example=instance(E=2, most=2, S=law({0: 1/2, 1: 1/2}), p={0: 2}, q={0: 1, 1: 1}),
        statement=H == 1 - E + E * G,
        steps=[
            step("terms", H == mean(p(y) - E * q(y) + E * maximum(q(y) - p(y) / E, 0), y),
                 termwise(arithmetic(), y)),
            step("all", H == 1 - E + E * G, arithmetic("terms", "P", "Q")),
        ],
    ),
    breaks=[edit("drop Q", "all"), edit("drop P", "all")],
)
