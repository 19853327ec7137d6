"""Table 4: the rows of the l1 method and of the Wasserstein mechanism."""
from pfverify.proof.language import *

e, k, (x, z) = indices("e", "epsilons"), indices("k", "sets"), indices("x z", "X")
l1, W1, n, d, pi = masses("l1 W1 n d pi")
by_l1 = abs(l1(k, e) - n(k) / e) <= 1/200
by_W1 = abs(W1(k, e) - d(k) / e) <= 1/200
tenths = [1/10, 1/5, 3/10, 2/5, 1/2, 3/5, 7/10, 4/5, 9/10, 1]
one = "10.00 5.00 3.33 2.50 2.00 1.67 1.43 1.25 1.11 1.00"
two = "20.00 10.00 6.67 5.00 4.00 3.33 2.86 2.50 2.22 2.00"
three = "30.00 15.00 10.00 7.50 6.00 5.00 4.29 3.75 3.33 3.00"
eight = "80.00 40.00 26.67 20.00 16.00 13.33 11.43 10.00 8.89 8.00"
# 1, 2: Tables 1, 2; counts (UCI): 3 Student Performance, 4 Census Income, 5 Bank Marketing
plans = stacked({
    1: plan({0: 13/25, 1: 12/25}, {0: 1/2, 1: 1/2}),
    2: plan({0: 50001/100000, 2: 1/100000, 3: 49998/100000},
            {0: 49996/100000, 1: 1/100000, 3: 50003/100000}),
    3: plan(masses_of({0: 376, 1: 204}), masses_of({0: 34, 1: 35})),
    4: plan(masses_of({0: 890, 1: 2554, 2: 14473, 3: 721, 4: 1536, 5: 636, 6: 1264, 7: 13, 8: 1}),
            masses_of({0: 636, 1: 613, 2: 12243, 3: 368, 4: 798, 5: 766, 6: 211, 7: 6, 8: 7})),
    5: plan(masses_of({0: 921, 1: 4660, 2: 1663}), masses_of({0: 4286, 1: 22554, 2: 11127})),
})
far, top = indicator(abs(x - z) - d(k)), indicator(maximum(x, z) - n(k))
reach = implies(pi(k, x, z) > 0, abs(x - z) <= d(k) and maximum(x, z) <= n(k))
attained = total(pi(k, x, z) * far, x, z) > 0 and total(pi(k, x, z) * top, x, z) > 0
rows = by_l1 and by_W1 and reach and attained

Claim(
    id="N46", source=paper("noise-reduction", "Table 4"), result=PROVED,
    words="The l1 rows are n / epsilon and the Wasserstein rows d / epsilon, to two decimals, n "
          + "the largest letter of the alphabet and d the largest distance of the plan",
    printed=proved(
        data=instance(
            sets=[1, 2, 3, 4, 5], epsilons=tenths, X=[0, 1, 2, 3, 4, 5, 6, 7, 8], pi=plans,
            n={1: 1, 2: 3, 3: 1, 4: 8, 5: 2}, d={1: 1, 2: 3, 3: 1, 4: 2, 5: 1},
            l1=printed_rows(tenths, {1: one, 2: three, 3: one, 4: eight, 5: two}),
            W1=printed_rows(tenths, {1: one, 2: three, 3: one, 4: two, 5: one}),
        ), statement=rows,
        steps=[
            step("epsilons", e > 0, finite()),
            step("l1 and W1", by_l1 and by_W1, finite()),
            step("reach", reach, finite()),
            step("attained", attained, finite()),
        ],
    ),
)
