"""The reduction for Table 1: 73.57% at epsilon = 1, growing to 96% as epsilon goes to 0."""
from pfverify.proof.language import *
from settings.column import *

theta_1, u = positive("theta_1"), variables("u")  # the root at epsilon = 1
reduction = 1 - epsilon * theta  # of n/epsilon = 1/epsilon, as a share of it
shape = 1 - theta_1 <= reduction and 24/25 - epsilon <= reduction and reduction < 24/25
values = (7356/10000 < 1 - 1 / log(25 * exp(1) - 24) and 1 - 1 / log(25 * exp(1) - 24) < 7357/10000
          and 9224/10000 < 1 - 1 / (10 * log(25 * exp(1/10) - 24))
          and 1 - 1 / (10 * log(25 * exp(1/10) - 24)) < 9225/10000)

Claim(
    id="N32", source=paper("noise-reduction", "Section 4.1"), result=REPAIRED,
    words="For epsilon in (0, 1] the noise for Table 1 is reduced by 73.5% to 92.2%",
    printed=refuted(
        given={"range": epsilon <= 1, "columns": columns, "root": root},
        statement=735/1000 <= reduction and reduction < 9225/10000,
        instance=instance(epsilon=1/100, theta="1/log(25*exp(1/100)-24)", c=1, X=[0, 1],
                          pi=table_1),
        words="at epsilon = 0.01 it is more than 95%",
    ),
    corrected=proved(
        words="It is least at 1 (73.57%), 92.24% at 0.1, and its supremum is 96% (epsilon to 0)",
        given={"range": epsilon <= 1, "root": exp(1 / theta) == 25 * exp(epsilon) - 24,
               "root at 1": exp(1 / theta_1) == 25 * exp(1) - 24},
        example=instance(epsilon=1/100, theta="1/log(25*exp(1/100)-24)",
                         theta_1="1/log(25*exp(1)-24)"), statement=shape and values,
        steps=[
            step("Bernoulli", exp(epsilon * u) <= 1 + epsilon * (exp(u) - 1),
                 arithmetic("range", hints=[exp((1 - epsilon) * u), exp(-epsilon * u)])),
            step("least", exp(epsilon / theta_1) <= exp(1 / theta),
                 arithmetic("root", "root at 1", use("Bernoulli", {u: 1 / theta_1 - 1}),
                            use("Bernoulli", {u: -1}), hints=[exp(-1), exp(-epsilon)])),
            step("power", 25 * exp(epsilon) - 24 < exp(25 * epsilon),
                 arithmetic(hints=[exp(12 * epsilon), exp(24 * epsilon), exp(-epsilon)])),
            step("shape", shape, arithmetic("least", "root", "power", hints=[exp(-1 / theta)])),
            step("values", values, enclosure()),
        ],
    ),
    breaks=[
        edit("drop root", "least",
             instance(epsilon=1, theta=10, theta_1="1/log(25*exp(1)-24)")),
        edit("drop range", "Bernoulli", instance(
            epsilon=2, theta="1/log(25*exp(2)-24)", theta_1="1/log(25*exp(1)-24)")),
        edit("drop root at 1", "least", instance(
            epsilon=1, theta="1/log(25*exp(1)-24)", theta_1=1/10)),
    ],
)
