"""Tables 2 and 3: all five rows are probability distributions."""
from pfverify.proof.language import *

x, k, l = indices("x", "X"), indices("k", "three"), indices("l", "two")  # users 1-3, laws of user 4
D, D_4 = masses("D D_4")
X = [1, 2, 3, 4, 5]
table_2 = printed_rows(X, {1: "0.01 0.04 0.1 0.2 0.65", 2: "0.7 0.2 0.05 0.04 0.01",
                           3: "0.2 0.2 0.2 0.2 0.2"})
table_3 = printed_rows(X, {1: "0.4 0.1 0 0.1 0.4", 2: "0 0.05 0.9 0.05 0"})
sums = total(D(k, x), x) == 1 and total(D_4(l, x), x) == 1

Claim(
    id="M11", source=paper("multi-user", "Table 2"), result=PROVED,
    words="Each of the three rows of Table 2 and of the two rows of Table 3 sums to exactly 1",
    printed=proved(
        data=instance(X=X, three=[1, 2, 3], two=[1, 2], D=table_2, D_4=table_3),
        statement=sums, steps=[step("sums", sums, finite())],
    ),
    breaks=[edit("sums = total(D(k, x), x) == 1 and total(D_4(l, x), x) == 2", "sums")],
)
