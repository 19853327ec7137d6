"""Below Corollary 1: the change of the standard deviation need not vanish as users are added."""
from pfverify.proof.language import *

S, v = positive("S v")  # variances: of the other users' sum, of user k
t = variables("t")
change = sqrt(S + v) - sqrt(S)
halves = sqrt(1 - t) - sqrt(1/2 - t)  # sigma_k^2 = 2^-k, K users, t = 2^-K: the change by user 1
never = implies(0 < t and t <= 1/2, halves >= 1 - sqrt(1/2))

Claim(
    id="G18", source=paper("gaussian-priors", "Section III-B"), result=REPAIRED,
    words="Delta sigma_k goes to 0 as the number of users grows",
    printed=refuted(
        words="sigma_k^2 = 2^-k: with 100 users Delta sigma_1 is still more than 0.29",
        statement=halves <= 29/100, at={t: 2**(-100)},
    ),
    corrected=proved(
        words="It is at most sigma_k^2 / (2 sqrt(S)), S the variance of the others, so it vanishes "
              "if S grows without bound; for sigma_k^2 = 2^-k it is never below 1 - sqrt(1/2)",
        statement=change <= v / (2 * sqrt(S)) and never,
        steps=[
            step("root", sqrt(S) > 0, arithmetic()),
            step("change", change <= v / (2 * sqrt(S)), arithmetic("root")),
            step("below", implies(0 < t and t <= 1/2, sqrt(1/2 - t) <= sqrt(1/2)), arithmetic()),
            step("halves", never, arithmetic("below")),
            step("all", change <= v / (2 * sqrt(S)) and never,
                 arithmetic("change", "halves")),
        ],
    ),
)
