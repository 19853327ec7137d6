"""Table 2 and Figure 3a: the two priors, their plan, and the conditions they are to satisfy."""
from pfverify.proof.language import *

x, z, a, b = indices("x z a b", "X")
o, n = member("o n", "X")
P, Q, pi = masses("P Q pi")
p = {0: 50001/100000, 2: 1/100000, 3: 49998/100000}
q = {0: 49996/100000, 1: 1/100000, 3: 50003/100000}
delta = P(o) - (1 - Q(n))
sums = total(P(x), x) == 1 and total(Q(z), z) == 1
marginals = total(pi(x, z), z) == P(x) and total(pi(x, z), x) == Q(z)
F, G = total(P(a) * indicator(x - a), a), total(Q(b) * indicator(z - b), b)
monotone = total(pi(a, b) * indicator(x - a) * indicator(z - b), a, b) == minimum(F, G)
form = (implies(z != n, pi(o, z) == Q(z)) and implies(x != o, pi(x, n) == P(x))
        and pi(o, n) == delta and implies(x != o and z != n, pi(x, z) == 0))
remark = delta > 0 and implies(x != o and x != n, P(x) < delta and Q(x) < delta)
table_2 = instance(X=[0, 1, 2, 3], o=0, n=3, P=p, Q=q, pi=plan(p, q))
all_of_it = sums and marginals and monotone and form and remark

Claim(
    id="N44", source=paper("noise-reduction", "Table 2"), result=PROVED,
    words="Both rows of Table 2 sum to 1; the monotone plan has the form of Proposition 5.1 with "
          "mass on (0, 3), and delta exceeds the masses of the letters 1 and 2",
    printed=proved(
        data=table_2, statement=all_of_it,
        steps=[step("checked", all_of_it, finite())],
    ),
    breaks=[
        edit("delta = P(o) - Q(n)", "checked", table_2),
    ],
)
