"""Section 6.2: the percentages of reduction for the three data sets."""
from pfverify.proof.language import *

k, m, e = indices("k", "sets"), indices("m", "methods"), indices("e", "epsilons")
r, scale, first, last = masses("r scale first last")  # first: at epsilon = 1/10, last: at 1
reduction = 1 - r(k, e) / scale(m, k, e)
ends = (abs(1 - r(k, 1/10) / scale(m, k, 1/10) - first(m, k) / 100) <= 1/200
        and abs(1 - r(k, 1) / scale(m, k, 1) - last(m, k) / 100) <= 1/200)
between = (last(m, k) / 100 - 1/200 <= reduction and reduction <= first(m, k) / 100 + 1/200)
defined = scale(m, k, e) > 0 and scale(m, k, 1/10) > 0 and scale(m, k, 1) > 0
tenths = [1/10, 1/5, 3/10, 2/5, 1/2, 3/5, 7/10, 4/5, 9/10, 1]
one = "10.00 5.00 3.33 2.50 2.00 1.67 1.43 1.25 1.11 1.00"
two = "20.00 10.00 6.67 5.00 4.00 3.33 2.86 2.50 2.22 2.00"
eight = "80.00 40.00 26.67 20.00 16.00 13.33 11.43 10.00 8.89 8.00"

Claim(
    id="N48", source=paper("noise-reduction", "Section 6.2"), result=PROVED,
    words="Against the Wasserstein mechanism the printed scales save 66 to 47, 50 to 43 and 75 to "
          + "54 percent, against the l1 method 66 to 47, 88 to 86 and 87 to 77 percent (Student "
          + "Performance, Census Income, Bank Marketing)",
    printed=proved(
        data=instance(
            sets=[1, 2, 3], methods=[1, 2], epsilons=tenths,  # methods: Wasserstein, l1
            r=printed_rows(tenths, {1: "3.39 1.84 1.31 1.04 0.88 0.77 0.68 0.62 0.57 0.53",
                                    2: "10.00 5.00 3.33 2.50 2.05 1.76 1.54 1.38 1.25 1.15",
                                    3: "2.53 1.42 1.04 0.84 0.72 0.64 0.58 0.53 0.49 0.46"}),
            scale=stacked({1: printed_rows(tenths, {1: one, 2: two, 3: one}),
                           2: printed_rows(tenths, {1: one, 2: eight, 3: two})}),
            first=printed_rows([1, 2, 3], {1: "66 50 75", 2: "66 88 87"}),
            last=printed_rows([1, 2, 3], {1: "47 43 54", 2: "47 86 77"}),
        ),
        statement=ends and between,
        steps=[
            step("scales", defined, finite()),
            step("percentages", ends and between, finite()),
        ],
    ),
)
