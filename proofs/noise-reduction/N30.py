"""Table 1: two distributions whose monotone plan moves mass by at most 1."""
from pfverify.proof.language import *

x, z = indices("x z", "X")
pi, P, Q = masses("pi P Q")
prior_i, prior_j = {0: 13/25, 1: 12/25}, {0: 1/2, 1: 1/2}
table_1 = instance(X=[0, 1], P=prior_i, Q=prior_j, pi=plan(prior_i, prior_j))
sums = total(P(x), x) == 1 and total(Q(x), x) == 1
coupling = total(pi(x, z), z) == P(x) and total(pi(x, z), x) == Q(z)
distance = pi(x, z) * (abs(x - z) - 1) <= 0 and pi(0, 1) > 0

Claim(
    id="N30", source=paper("noise-reduction", "Table 1"), result=PROVED,
    words="Both rows of Table 1 sum to 1, and the largest distance of their plan is 1",
    printed=proved(
        data=table_1, statement=sums and coupling and distance,
        steps=[
            step("sums", sums, finite()),
            step("coupling", coupling, finite()),
            step("distance", distance, finite()),
        ],
    ),
    breaks=[
        edit("prior_i = {0: 1/2, 1: 1/2}", "distance", instance(
            X=[0, 1], P={0: 1/2, 1: 1/2}, Q={0: 1/2, 1: 1/2}, pi={(0, 0): 1/2, (1, 1): 1/2})),
    ],
)
