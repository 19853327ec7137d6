"""Below Corollary 1: the scale (9) need not approach the largest mean."""
from pfverify.proof.language import *

epsilon, S, v, tau = positive("epsilon S v tau")  # variances: of the other users' sum, of user k
mu, largest = constants("mu largest")
K = variables("K")
bound = (abs(mu) + (sqrt(S + v) - sqrt(S)) * tau) / epsilon  # (9), one user
change = sqrt(K * (K + 1) / 2) - sqrt(K * (K - 1) / 2)  # sigma_k^2 = k: by user K, the last one
statement = (bound <= (abs(mu) + v / (2 * sqrt(S)) * tau) / epsilon
             and implies(K >= 1, change >= sqrt(1/2)))

Claim(
    id="G19", source=paper("gaussian-priors", "Section III-B"), result=REPAIRED,
    words="As the number of users grows, (9) approaches the largest mu_k over epsilon",
    printed=refuted(
        words="mu_k = 0 and sigma_k^2 = k (Lyapunov's condition holds), epsilon = tau = 1: with "
              "100 users (9) is still more than 0.7; and with mu_k = -1 it is at least 1, not "
              "near -1",
        statement=0 + change <= 7/10, at={K: 100},
    ),
    corrected=proved(
        words="(9) exceeds max |mu_k|/epsilon by at most tau sigma_k^2 / (2 epsilon "
              "sqrt(S)), S the variance of the others; for sigma_k^2 = k the change by the last "
              "user is >= sqrt(1/2)",
        statement=statement,
        steps=[
            step("root", sqrt(S) > 0, arithmetic()),
            step("change", sqrt(S + v) - sqrt(S) <= v / (2 * sqrt(S)), arithmetic("root")),
            step("bound", bound <= (abs(mu) + v / (2 * sqrt(S)) * tau) / epsilon,
                 arithmetic("change")),
            step("roots", implies(K >= 1, sqrt(K * (K + 1) / 2) >= sqrt(1/2) + sqrt(K * (K - 1) / 2)
                                  ), arithmetic()),
            step("all", statement, arithmetic("bound", "roots")),
        ],
    ),
)
