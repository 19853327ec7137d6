"""Below Corollary 1: the scale (9) need not approach the largest mean."""
from pfverify.proof.language import *

epsilon, S, v, tau, eta = positive("epsilon S v tau eta")  # S, v: variances of the others, user k
mu = constants("mu")
K = variables("K")
change = sqrt(S + v) - sqrt(S)
scale = (abs(mu) + change * tau) / epsilon  # (9), one user
last = at(scale, {mu: 0, S: K * (K - 1) / 2, v: K})  # sigma_k^2 = k: by user K, the last one
away = implies(K >= 2, last >= sqrt(1/2) * tau / epsilon)
near = scale <= (abs(mu) + v / (2 * sqrt(S)) * tau) / epsilon
small, enough = eta * epsilon / tau, S >= (tau * v / (2 * epsilon * eta))**2
limit = implies(enough, scale <= abs(mu) / epsilon + eta)

Claim(
    id="G19", source=paper("gaussian-priors", "Section III-B"), result=REPAIRED,
    words="As the number of users grows, (9) approaches the largest mu_k over epsilon",
    printed=denied(
        words="mu_k = 0 and sigma_k^2 = k (Lyapunov's condition holds): the printed limit is 0, "
              "so some K would have less than sqrt(1/2) tau/epsilon; for none (9) is less (left "
              "out: the limit itself, and the condition, which this case meets)",
        printed=K >= 2 and last < sqrt(1/2) * tau / epsilon, statement=away,
        steps=[
            step("away", away, arithmetic()),
        ],
    ),
    corrected=proved(
        words="(9) exceeds |mu_k|/epsilon by at most tau sigma_k^2 / (2 epsilon sqrt(S)), S the "
              "variance of the others: by less than any eta as soon as S is large enough",
        statement=near and limit,
        steps=[
            step("change", change <= v / (2 * sqrt(S)) and implies(enough, change <= small),
                 theorem("G18", {"eta": small}, part="corrected")),
            step("near", near, arithmetic("change")),
            step("limit", limit, arithmetic("change")),
        ],
    ),
    breaks=[
        edit("last = at(scale, {mu: 0, S: K * (K + 1) / 2, v: K})", "away",
             instance(epsilon=1, tau=1), {K: 2}),
        edit("enough = S >= tau * v / (2 * epsilon * eta)", "change",
             instance(epsilon=1, S=5, v=1, tau=1, eta=1/10, mu=0)),
    ],
)
