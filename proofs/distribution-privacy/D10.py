"""Table 1, post-processing: what is made of the output alone stays private."""
from pfverify.proof.language import *
from settings.channels import *

w, K = indices("w", "W"), masses("K")  # K(y, w): the chance that A_1 makes w of the output y
after_p, after_q = total(p * K(y, w), y), total(q * K(y, w), y)  # (A_1 o A_0)# of P and Q
part, excess_after = maximum(p - E * q, 0), total(maximum(after_p - E * after_q, 0), w)

Claim(
    id="D10", source=paper("distribution-privacy", "Table 1"), result=PROVED,
    words="If A_0 is (epsilon, delta)-DistP, so is what any mechanism A_1 makes of its output",
    printed=proved(
        given={"DistP": excess <= delta, "A_1": total(K(y, w), w) == 1},
        example=instance(E=2, delta=1/4, X=[0, 1], Y=[0, 1], W=[0, 1], A=response, P={0: 1},
                         Q={1: 1}, K=response),
        statement=excess_after <= delta and total(P(x) * total(A(x, y) * K(y, w), y), x) == after_p,
        steps=[
            step("event", after_p - E * after_q <= total(part * K(y, w), y),
                 termwise(arithmetic(), y)),
            step("none", 0 <= total(part * K(y, w), y), termwise(arithmetic(), y)),
            step("w", maximum(after_p - E * after_q, 0) <= total(part * K(y, w), y),
                 arithmetic("event", "none")),
            step("sum", excess_after <= total(part * K(y, w), y, w), integrate("w", w)),
            step("K", total(part * K(y, w), y, w) == excess, integrate("A_1", y, weight=part)),
            step("after", excess_after <= delta and total(P(x) * total(A(x, y) * K(y, w), y), x)
                 == after_p, arithmetic("sum", "K", "DistP")),
        ],
    ),
    breaks=[
        edit("drop DistP", "after", instance(
            E=1, delta=0, X=[0, 1], Y=[0, 1], W=[0, 1], A=response, P={0: 1}, Q={1: 1},
            K=response)),
        edit("drop A_1", "K"),
    ],
    meaning=[E >= 1, channel, laws, total(K(y, w), w) == 1],
)
