"""Tables 2 and 3: all five rows are probability distributions."""
from pfverify.proof.language import *
from settings.table_2 import *

x, k, l = indices("x", "X"), indices("k", "three"), indices("l", "two")  # users 1-3, laws of user 4
D, D_4 = masses("D D_4")
rows = total(D(k, x), x) == 1 and total(D_4(l, x), x) == 1

Claim(
    id="M11", source=paper("multi-user", "Table 2"), result=PROVED,
    words="Each of the three rows of Table 2 and of the two rows of Table 3 sums to exactly 1",
    printed=proved(
        data=instance(X=reports, three=[1, 2, 3], two=[1, 2], D=table_2,
                      D_4=stacked({1: P_4, 2: Q_4})),
        statement=rows, steps=[step("sums", rows, finite())],
    ),
    breaks=[edit("rows = total(D(k, x), x) == 1 and total(D_4(l, x), x) == 2", "sums")],
)
