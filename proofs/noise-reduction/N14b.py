"""(13): a column without mass off the diagonal has no root; counted as 0 it does no harm."""
from pfverify.proof.language import *
from settings.releases import *

b, root = member("b", "X"), functions("root")
f_root = total((exp(abs(x - z) / root(z)) - E) * pi(x, z), x)
f_b, Q_b = at(f, {z: b}), at(Q, {z: b})
rooted = root(z) > 0 and root(z) <= theta and f_root == 0
diagonal = abs(x - z) * pi(x, z) == 0  # for every x: no mass off the diagonal

Claim(
    id="N14b", source=paper("noise-reduction", "(13)"), result=BOTH_READINGS,
    words="The scale is the largest root of the column sums",
    meaning=[total(pi(x, z), x, z) == 1],
    readings=[
        proved(
            words="Taken literally there may be no root: no scale is one where the column has all "
                  + "its mass on the diagonal (column 0 of Table 1)",
            given={"diagonal": at(diagonal, {z: b}), "mass": Q_b > 0, "epsilon > 0": E > 1},
            example=instance(theta=1, E=2, b=0, X=[0, 1],
                             pi=table_1), statement=f_b != 0,
            steps=[
                step("sum", f_b == (1 - E) * Q_b, termwise(arithmetic("diagonal"), x)),
                step("no root", f_b != 0, arithmetic("sum", "mass", "epsilon > 0")),
            ],
        ),
        proved(
            words="If such columns are left out, the largest root of the others satisfies (11)",
            given={"root or diagonal": rooted or diagonal, "epsilon > 0": E > 1},
            example=instance(theta=1/3, E=2, X=[0, 1], root={0: 1, 1: 1 / log(26)},
                             pi=table_1), statement=f <= 0,
            steps=[
                step("column", implies(rooted, f <= f_root), termwise(arithmetic(), x)),
                step("diagonal column", implies(not rooted, f <= 0),
                     termwise(arithmetic("root or diagonal", "epsilon > 0"), x)),
                step("(11)", f <= 0, arithmetic("column", "diagonal column")),
            ],
        ),
    ],
    breaks=[
        edit("drop mass", "no root", instance(theta=1, E=2, b=0, X=[0, 1], pi={(1, 1): 1})),
        edit("drop diagonal", "sum", instance(theta=1, E=exp(1), b=1, X=[0, 1], pi={(0, 1): 1})),
        edit("drop epsilon > 0", "no root", instance(theta=1, E=1, b=0, X=[0, 1], pi={(0, 0): 1})),
    ],
)
