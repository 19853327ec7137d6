"""Figure 4: for P_4 of Table 3 condition (13) gives a smaller scale than (14), for every epsilon.

e runs over the values of epsilon in the figure; the scale of (13) is between below(e) and above(e).
"""
from pfverify.proof.language import *
from settings.table_2 import *

(theta, epsilon), e = positive("theta epsilon"), indices("e", "epsilons")
w, (below, above) = exp(1 / theta), functions("below above")
sum_13 = 2/5 * w + 1/10 * w**2 + 1/10 * w**4 + 2/5 * w**5
tenths = [1/10, 1/5, 3/10, 2/5, 1/2, 3/5, 7/10, 4/5, 9/10, 1]
low = printed_row(tenths, "30.5560 15.5455 10.5353 8.0252 6.5154 5.5058 4.7821 4.2373 3.8117 "
                  + "3.4697")
high = printed_row(tenths, "30.5561 15.5456 10.5354 8.0253 6.5155 5.5059 4.7822 4.2374 3.8118 "
                   + "3.4698")
bracket = at(sum_13, {theta: below(e)}) > exp(e) and at(sum_13, {theta: above(e)}) < exp(e)

Claim(
    id="M21", source=paper("multi-user", "Figure 4"), result=PROVED,
    words="For P_4 the scale of (13) is smaller than 5/epsilon, that of (14), for every epsilon",
    symbols={"e": "epsilon'"},
    printed=proved(
        given={"(13)": sum_13 == exp(epsilon)},
        example=instance(theta="1/log(2)", epsilon=log(78/5)),
        statement=theta < 5 / epsilon,
        steps=[
            step("less", sum_13 < exp(5 / theta), arithmetic()),
            step("smaller", theta < 5 / epsilon, arithmetic("less", "(13)")),
        ],
    ),
    tighter=proved(
        words="The scales of (13) for epsilon = 0.1, 0.2, ..., 1 to four decimals: 30.5560 (where "
              "(14) says 50) down to 3.4697 (5)",
        data=instance(epsilons=tenths, below=low, above=high),
        statement=bracket,
        steps=[step("scales", below(e) > 0 and above(e) > 0, finite()),
               step("ten values", bracket, finite())],
    ),
    breaks=[
        edit("drop (13)", "smaller", instance(theta=6, epsilon=1)),
        edit("statement = theta < 1 / epsilon", "the statement", instance(
            theta="1/log(2)", epsilon=log(78/5))),
    ],
)
