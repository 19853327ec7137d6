"""Below Corollary 1: the change of the standard deviation need not vanish as users are added."""
from pfverify.proof.language import *

S, v, eta, t = positive("S v eta t")  # variances: of the other users' sum, of user k; any bound
change = sqrt(S + v) - sqrt(S)

Claim(
    id="G18", source=paper("gaussian-priors", "Section III-B"), result=REPAIRED,
    words="Delta sigma_k goes to 0 as the number of users grows",
    printed=denied(
        words="sigma_k^2 = 2^-k: with the limit 0 the change by user 1 would be less than 1 - "
              "sqrt(1/2) for some number K >= 2 of users; it never is (t = 2^-K, the others have "
              "the variance 1/2 - t)",
        printed=change < 1 - sqrt(1/2),
        given={"users": t <= 1/4, "user 1": v == 1/2, "others": S == 1/2 - t},
        example=instance(t=1/4, v=1/2, S=1/4),
        statement=change >= 1 - sqrt(1/2),
        steps=[
            step("below", sqrt(S) <= sqrt(1/2), arithmetic("others")),
            step("whole", sqrt(S + v) <= 1, arithmetic("others", "user 1")),
            step("all", change >= 1 - sqrt(1/2), arithmetic("below", "whole", "user 1")),
        ],
    ),
    corrected=proved(
        words="It is at most sigma_k^2 / (2 sqrt(S)), S the variance of the others: below any eta "
              "as soon as S >= (sigma_k^2 / (2 eta))^2, so it vanishes if S grows without bound",
        statement=change <= v / (2 * sqrt(S)) and implies(S >= (v / (2 * eta))**2, change <= eta),
        steps=[
            step("root", sqrt(S) > 0, arithmetic()),
            step("change", change <= v / (2 * sqrt(S)), arithmetic("root")),
            step("S", implies(S >= (v / (2 * eta))**2, sqrt(S) >= v / (2 * eta)), arithmetic()),
            step("eta", implies(S >= (v / (2 * eta))**2, change <= eta),
                 arithmetic("S", "root", "change")),
        ],
    ),
    breaks=[
        edit("drop others", "below", instance(t=1/4, v=1/2, S=4)),
        edit("change = sqrt(S + 2 * v) - sqrt(S)", "change", instance(S=1, v=1, eta=1)),
    ],
)
