"""Users 1 to 3 of Table 2 as rows of reports 1 to 5, the masses of their sum (M12 checks them), the
laws P_4 and Q_4 of user 4 in Table 3, and the masses of the sum with user 4 (M26 checks them)."""
from pfverify.proof.language import *

reports, sums = [1, 2, 3, 4, 5], whole_numbers(3, 15)
table_2 = printed_rows(reports, {1: "0.01 0.04 0.1 0.2 0.65", 2: "0.7 0.2 0.05 0.04 0.01",
                                 3: "0.2 0.2 0.2 0.2 0.2"})
row_of_sums = ("0.0014 0.0074 0.0231 0.05558 0.15592 0.1834 0.1857 0.1756 0.14442 0.04408 0.0152 "
               + "0.0069 0.0013")
others = printed_row(sums, row_of_sums)
P_4 = printed_row(reports, "0.4 0.1 0 0.1 0.4")
Q_4 = printed_row(reports, "0 0.05 0.9 0.05 0")
with_P_4 = printed_row(
    whole_numbers(4, 20), "0.00056 0.0031 0.00998 0.024682 0.069226 0.094222 0.107418 0.126634 "
    + "0.156036 0.124004 0.102328 0.088962 0.063386 0.019282 0.00677 0.00289 0.00052")
with_Q_4 = printed_row(
    whole_numbers(5, 19), "0.00007 0.00163 0.007885 0.023939 0.058973 0.152277 0.182141 0.18508 "
    + "0.174546 0.140962 0.047653 0.016229 0.007035 0.001515 0.000065")
