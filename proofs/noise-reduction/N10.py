"""(10): the smallest scale of (9) solves one column's equation; the others need no root."""
from pfverify.proof.language import *
from settings.releases import *

smaller, (a, b) = positive("smaller"), member("a b", "X")
column_b, less_noise = at(f, {z: b}), at(f, {z: b, theta: smaller})
gain = at(pi(x, z) * (exp(abs(x - z) / smaller) - exp(abs(x - z) / theta)), {z: b})
distinct = pi(a, b) > 0 and a != b

Claim(
    id="N10", source=paper("noise-reduction", "(10)"), result=REPAIRED,
    words="At the smallest scale that satisfies (9) every column sum and every row sum is 0",
    meaning=meant,
    printed=refuted(
        words="Table 1, e^epsilon = 2: the smallest scale is 1/log 26, where column 1 is 0",
        given={"(9)": f <= 0, "smallest": column_b == 0 and distinct},
        statement=f == 0 and row == 0,
        instance=instance(theta=1 / log(26), E=2, a=0, b=1, X=[0, 1],
                          pi=table_1),
    ),
    corrected=proved(
        words="A scale that satisfies (9) is the smallest as soon as one column with mass off the "
              + "diagonal has the sum 0",
        given={"(9)": f <= 0, "zero": column_b == 0, "distinct": distinct,
               "smaller": smaller < theta},
        example=instance(theta=1 / log(26), smaller=1/4, E=2, a=0, b=1, X=[0, 1],
                         pi=table_1),
        statement=not less_noise <= 0,
        steps=[
            step("less noise, larger", 0 <= gain, arithmetic("smaller")),
            step("the pair", at(gain, {x: a}) <= total(gain, x),
                 one_term("less noise, larger", {x: a})),
            step("the pair gains", 0 < at(gain, {x: a}), arithmetic("distinct", "smaller")),
            step("too small", not less_noise <= 0,
                 arithmetic("the pair", "the pair gains", "zero")),
        ],
    ),
    breaks=[
        edit("drop distinct", "the pair gains",
             instance(theta=1, smaller=1/2, E=2, a=0, b=1, X=[0, 1], pi={(0, 0): 1})),
        edit("drop smaller", "less noise, larger", instance(
            theta=1 / log(26), smaller=1, E=2, a=0, b=1, X=[0, 1], pi=table_1)),
        edit("drop zero", "too small", instance(
            theta=1, smaller=1/2, E=100, a=0, b=1, X=[0, 1], pi={(0, 1): 1})),
    ],
)
