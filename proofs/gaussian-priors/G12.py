"""Figure 1 (b): the priors that were drawn are not given."""
from pfverify.proof.language import *

Claim(
    id="G12", source=paper("gaussian-priors", "Figure 1 (b)"), result=NOT_CHECKABLE,
    words="With Laplace noise L(4) the largest absolute log ratio of the two releases is 0.2992",
    not_checkable="the means and variances behind the figure are nowhere given: one number for "
                  "four unknowns; by F8 any two priors with |m|/4 + v/32 = 0.2992 have at "
                  "least that",
)
