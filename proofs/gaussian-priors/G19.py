"""Below Corollary 1: the scale (9) need not approach the largest mean."""
from pfverify.proof.language import *

epsilon, S, v, tau, eta = positive("epsilon S v tau eta")  # S, v: variances of the others, user k
mu = constants("mu")
K = variables("K")
scale = (abs(mu) + (sqrt(S + v) - sqrt(S)) * tau) / epsilon  # (9), one user
last = at(scale, {mu: 0, S: K * (K - 1) / 2, v: K})  # sigma_k^2 = k: by user K, the last one
away = implies(K >= 2, last >= sqrt(1/2) * tau / epsilon)
near = scale <= (abs(mu) + v / (2 * sqrt(S)) * tau) / epsilon
limit = implies(S >= (tau * v / (2 * epsilon * eta))**2, scale <= abs(mu) / epsilon + eta)

Claim(
    id="G19", source=paper("gaussian-priors", "Section III-B"), result=REPAIRED,
    words="As the number of users grows, (9) approaches the largest mu_k over epsilon",
    printed=denied(
        words="mu_k = 0 and sigma_k^2 = k (Lyapunov's condition holds): for every number K of "
              "users (9) is at least sqrt(1/2) tau/epsilon, and the printed limit is 0",
        statement=away,
        steps=[
            step("root", implies(K >= 2, K * (K - 1) / 2 > 0), arithmetic()),
            step("roots", implies(K >= 2, sqrt(K * (K + 1) / 2) >= sqrt(1/2) + sqrt(K * (K - 1) / 2)
                                  ), arithmetic()),
            step("all", away, arithmetic("roots")),
        ],
    ),
    corrected=proved(
        words="(9) exceeds |mu_k|/epsilon by at most tau sigma_k^2 / (2 epsilon sqrt(S)), S the "
              "variance of the others: by less than any eta as soon as S is large enough",
        statement=near and limit,
        steps=[
            step("change", sqrt(S + v) - sqrt(S) <= v / (2 * sqrt(S))
                 and implies(S >= (v / (2 * (eta * epsilon / tau)))**2,
                             sqrt(S + v) - sqrt(S) <= eta * epsilon / tau), theorem(
                "G18", {"S": S, "v": v, "eta": eta * epsilon / tau}, part="corrected")),
            step("near", near, arithmetic("change")),
            step("same", tau * v / (2 * epsilon * eta) == v / (2 * (eta * epsilon / tau)),
                 identity()),
            step("S", implies(S >= (tau * v / (2 * epsilon * eta))**2,
                              sqrt(S + v) - sqrt(S) <= eta * epsilon / tau),
                 arithmetic("change", "same")),
            step("limit", limit, arithmetic("S")),
            step("all", near and limit, arithmetic("near", "limit")),
        ],
    ),
    breaks=[edit("root = K * (K - 1) / 2 > 0", "root")],
)
