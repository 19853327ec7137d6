"""Table 4: the relaxed scales of the three data sets."""
from pfverify.proof.language import *
from settings.table_4 import *

theta, v, (x, z) = positive("theta"), variables("v"), indices("x z", "X")
pi, r, n, c = masses("pi r n c")  # n: the largest letter, c: the column with the largest root
binding = total(pi(k, x, v) * (exp(abs(x - v) / theta) - exp(e)), x)
column = total(pi(k, x, z) * (exp(abs(x - z) / theta) - exp(e)), x)
row = total(pi(k, x, z) * (exp(abs(x - z) / theta) - exp(e)), z)
less, more = r(k, e) - 1/200, r(k, e) + 1/200
root_above = at(binding, {theta: less, v: c(k, e)}) > 0
columns_hold = implies(z <= n(k), at(column, {theta: more}) <= 0)
rows_hold = implies(x <= n(k), at(row, {theta: more}) <= 0)
rounded = root_above and columns_hold and rows_hold
table = instance(
    sets=[1, 2, 3], epsilons=tenths, X=[0, 1, 2, 3, 4, 5, 6, 7, 8], r=relaxed,
    pi=stacked({1: student, 2: census, 3: bank}), n={1: 1, 2: 8, 3: 2},
    c=printed_rows(tenths, {1: "1 1 1 1 1 1 1 1 1 1", 2: "3 3 3 3 4 4 4 4 4 4",
                            3: "2 2 2 2 2 2 2 2 2 2"}),
)

Claim(
    id="N47", source=paper("noise-reduction", "Table 4"), result=PROVED,
    symbols={"e": "epsilon"},
    words="The thirty printed values of Algorithm 1 are within 1/200 of the largest root over the "
          + "columns of each pair, in both orders",
    printed=proved(
        data=table, statement=rounded,
        steps=[
            step("r", r(k, e) > 1/4, finite()),
            step("root above", root_above, finite()),
            step("columns", columns_hold, finite()),
            step("rows", rows_hold, finite()),
        ],
    ),
    breaks=[
        edit("more = r(k, e) - 1/200", "columns", table),
        edit("less = r(k, e) + 1/200", "root above", table),
    ],
)
