"""Table 4: the rows of the l1 method and of the Wasserstein mechanism."""
from pfverify.proof.language import *
from settings.table_4 import *

x, z = indices("x z", "X")
l1, W1, n, d, pi = masses("l1 W1 n d pi")
by_l1 = abs(l1(k, e) - n(k) / e) <= 1/200
by_W1 = abs(W1(k, e) - d(k) / e) <= 1/200
far, top = indicator(abs(x - z) - d(k)), indicator(maximum(x, z) - n(k))
reach = implies(pi(k, x, z) > 0, abs(x - z) <= d(k) and maximum(x, z) <= n(k))
attained = total(pi(k, x, z) * far, x, z) > 0 and total(pi(k, x, z) * top, x, z) > 0
rows = by_l1 and by_W1 and reach and attained
table_1 = plan({0: 13/25, 1: 12/25}, {0: 1/2, 1: 1/2})  # sets 4, 5: Tables 1, 2
table = instance(
    sets=[1, 2, 3, 4, 5], epsilons=tenths, X=[0, 1, 2, 3, 4, 5, 6, 7, 8],
    pi=stacked({1: student, 2: census, 3: bank, 4: table_1, 5: table_2}),
    n={1: 1, 2: 8, 3: 2, 4: 1, 5: 3}, d={1: 1, 2: 2, 3: 1, 4: 1, 5: 3},
    l1=printed_rows(tenths, {1: one, 2: eight, 3: two, 4: one, 5: three}),
    W1=printed_rows(tenths, {1: one, 2: two, 3: one, 4: one, 5: three}),
)

Claim(
    id="N46", source=paper("noise-reduction", "Table 4"), result=PROVED,
    words="The l1 rows are n / epsilon and the Wasserstein rows d / epsilon, to two decimals, n "
          + "the largest letter of the alphabet and d the largest distance of the plan",
    printed=proved(
        data=table, statement=rows,
        steps=[
            step("epsilons", e > 0, finite()),
            step("l1 and W1", by_l1 and by_W1, finite()),
            step("reach", reach, finite()),
            step("attained", attained, finite()),
        ],
    ),
    breaks=[
        edit("by_W1 = abs(W1(k, e) - n(k) / e) <= 1/200", "l1 and W1", table),
        edit("far = indicator(abs(x - z) - d(k) - 1)", "attained", table),
    ],
)
