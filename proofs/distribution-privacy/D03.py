"""Definition 5, Example 1 and Figure 1: the edges drawn are a coupling of the two distributions."""
from pfverify.proof.language import *

x, z = indices("x z", "X")
one, two = member("one two", "X")
P, Q, gamma = masses("P Q gamma")
p, q = {1: 2/10, 2: 5/10, 3: 3/10}, {1: 3/10, 2: 2/10, 3: 5/10}
edges = {(1, 1): 2/10, (2, 1): 1/10, (2, 2): 2/10, (2, 3): 2/10, (3, 3): 3/10}
coupling = (total(P(x), x) == 1 and total(Q(z), z) == 1 and total(gamma(x, z), x, z) == 1
            and total(gamma(x, z), z) == P(x) and total(gamma(x, z), x) == Q(z)
            and gamma(two, one) == 1/10)

Claim(
    id="D03", source=paper("distribution-privacy", "Example 1"), result=PROVED,
    words="The coupling in Figure 1 has the two distributions as its marginals, and moves 0.1 "
          "from 2 to 1",
    printed=proved(
        data=instance(X=[1, 2, 3], one=1, two=2, P=p, Q=q, gamma=edges),
        statement=coupling, steps=[step("marginals", coupling, finite())],
    ),
    breaks=[edit("p = {1: 1/2, 2: 1/2}", "marginals")],
)
