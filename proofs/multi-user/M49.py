"""Figures 5 and 9: the tables behind the curves are not given, nor how categories are coded.

Figure 5 needs the numbers that stand for the categories of education, romantic and marital: (14) in
the drawing is 16, 2 and 3 over epsilon, which fits codes from 1 on but not their order. Figure 9
needs how six relationships become two. Adult is three files, Student Performance is two.
"""
from pfverify.proof.language import *

Claim(
    id="M49", source=paper("multi-user", "Figure 5"), result=NOT_CHECKABLE,
    words="On the three data sets (13) gives much smaller scales than (14) (Figure 5), and Lemma 6 "
          "smaller ones than Lemma 5 (Figure 9)",
    not_checkable="the tables, the files they are from and the codes of the categories are not "
                  "given, and no value of a curve is printed; for every coding the order of the "
                  "curves follows from M19 (two sizes of report are possible) and M38 (both "
                  "probabilities are above 0), how far apart they are does not",
)
