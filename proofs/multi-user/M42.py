"""Table 4: both rows are probability distributions."""
from pfverify.proof.language import *

x = indices("x", "X")
P, Q = masses("P Q")
p = printed_row([1, 2, 3, 4, 5], "0.2 0.225 0.5 0.075 0")
q = printed_row([1, 2, 3, 4, 5], "0 0.075 0.5 0.225 0.2")
sums = total(P(x), x) == 1 and total(Q(x), x) == 1

Claim(
    id="M42", source=paper("multi-user", "Table 4"), result=PROVED,
    words="Each of the two rows of Table 4 sums to exactly 1",
    printed=proved(
        data=instance(X=[1, 2, 3, 4, 5], P=p, Q=q),
        statement=sums, steps=[step("sums", sums, finite())],
    ),
    breaks=[
        edit("sums = total(P(x), x) == 2", "sums"),
        edit("p = {1: 1/2, 2: 1/4}", "sums"),
    ],
)
