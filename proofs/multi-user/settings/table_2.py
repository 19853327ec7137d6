"""Users 1 to 3 of Table 2 as rows of reports 1 to 5, the masses of their sum (M12 checks them), and
the laws P_4 and Q_4 of user 4 in Table 3."""
from pfverify.proof.language import *

reports, sums = [1, 2, 3, 4, 5], whole_numbers(3, 15)
table_2 = printed_rows(reports, {1: "0.01 0.04 0.1 0.2 0.65", 2: "0.7 0.2 0.05 0.04 0.01",
                                 3: "0.2 0.2 0.2 0.2 0.2"})
row_of_sums = ("0.0014 0.0074 0.0231 0.05558 0.15592 0.1834 0.1857 0.1756 0.14442 0.04408 0.0152 "
               + "0.0069 0.0013")
others = printed_row(sums, row_of_sums)
P_4 = printed_row(reports, "0.4 0.1 0 0.1 0.4")
Q_4 = printed_row(reports, "0 0.05 0.9 0.05 0")
