"""Table 4: the values e of epsilon, the printed rows, and the plans of the priors of each pair.

The rows of the l1 method and of the Wasserstein mechanism are those of 1, 2, 3 or 8 over epsilon.
k numbers the data sets: 1 Student Performance (Portuguese), 2 Census Income, 3 Bank Marketing.
Their counts are UCI's: 48842 people less the 963 of the test part of Census Income whose work class
is missing; categories are numbered in order of first appearance.

Symbols:
e: a value of epsilon in the table
k: a data set, by its number
"""
from pfverify.proof.language import *

e, k = indices("e", "epsilons"), indices("k", "sets")
tenths = [1/10, 1/5, 3/10, 2/5, 1/2, 3/5, 7/10, 4/5, 9/10, 1]
one = "10.00 5.00 3.33 2.50 2.00 1.67 1.43 1.25 1.11 1.00"
two = "20.00 10.00 6.67 5.00 4.00 3.33 2.86 2.50 2.22 2.00"
three = "30.00 15.00 10.00 7.50 6.00 5.00 4.29 3.75 3.33 3.00"
eight = "80.00 40.00 26.67 20.00 16.00 13.33 11.43 10.00 8.89 8.00"
relaxed = printed_rows(tenths, {1: "3.39 1.84 1.31 1.04 0.88 0.77 0.68 0.62 0.57 0.53",
                                2: "10.00 5.00 3.33 2.50 2.05 1.76 1.54 1.38 1.25 1.15",
                                3: "2.53 1.42 1.04 0.84 0.72 0.64 0.58 0.53 0.49 0.46"})
table_2 = plan({0: 50001/100000, 2: 1/100000, 3: 49998/100000},
               {0: 49996/100000, 1: 1/100000, 3: 50003/100000})
student = plan(masses_of({0: 376, 1: 204}), masses_of({0: 34, 1: 35}))
census = plan(masses_of({0: 636, 1: 613, 2: 12243, 3: 368, 4: 798, 5: 766, 6: 211, 7: 6, 8: 7}),
              masses_of({0: 890, 1: 2554, 2: 14473, 3: 721, 4: 1536, 5: 636, 6: 1264, 7: 13, 8: 1}))
bank = plan(masses_of({0: 921, 1: 4660, 2: 1663}), masses_of({0: 4286, 1: 22554, 2: 11127}))
