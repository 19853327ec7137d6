"""Algorithm 1 can return too little noise."""
from pfverify.proof.language import *

theta, E = positive("theta E")
x, z, y = indices("x z y", "X")
pi, P, Q = masses("pi P Q")
prior_i, prior_j = {0: 1/2, 2: 1/2}, {0: 1}
p, q = total(P(x) * exp(-abs(y - x) / theta), x), total(Q(x) * exp(-abs(y - x) / theta), x)

Claim(
    id="N21", source=paper("noise-reduction", "Algorithm 1"), result=REFUTED,
    words="The noise parameter that Algorithm 1 returns satisfies (11) and is private",
    printed=refuted(
        statement=total(pi(x, z) * (exp(abs(x - z) / theta) - E), x) <= 0 and p <= E * q,
        at={z: 0, y: 2}, words="neither holds",
        problem=problem(prior_i, prior_j, epsilon="log(5/2)",
                        scale=algorithm_1_scale(prior_i, prior_j, 5/2)),
        binds={"pi": "plan", "P": "a", "Q": "b", "X": "atoms", "theta": "scale",
               "E": "exp(epsilon)"},
    ),
    breaks=[edit("prior_i = {0: 1/2, 1: 1/2}", "the counterexample")],
)
