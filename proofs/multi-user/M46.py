"""Table 6: the plan between the priors of Table 4, its optimality and its longest edge."""
from pfverify.proof.language import *

x, z, a, b = indices("x z a b", "X")
c, d = member("c d", "X")
P, Q, pi = masses("P Q pi")
X = [1, 2, 3, 4, 5]
F, G = total(P(a) * indicator(x - a), a), total(Q(b) * indicator(z - b), b)
plan_of_6 = (total(pi(a, b) * indicator(x - a) * indicator(z - b), a, b) == minimum(F, G)
             and total(pi(x, b), b) == P(x) and total(pi(a, z), a) == Q(z))
cheapest = pi(x, z) == 0 or abs(x - z) == z - x  # the potential x shows that no plan costs less
longest = (pi(x, z) == 0 or abs(x - z) <= 2) and pi(c, d) > 0 and abs(c - d) == 2
table_6 = plan_of_6 and cheapest and longest
rows = printed_rows(X, {1: "0 0.075 0.125 0 0", 2: "0 0 0.225 0 0", 3: "0 0 0.15 0.225 0.125",
                        4: "0 0 0 0 0.075", 5: "0 0 0 0 0"})

Claim(
    id="M46", source=paper("multi-user", "Table 6"), result=PROVED,
    words="Table 6 is the plan (6) for the priors of Table 4, a cheapest one, and its longest "
          "edge has length 2",
    printed=proved(
        data=instance(X=X, c=1, d=3, P=printed_row(X, "0.2 0.225 0.5 0.075 0"),
                      Q=printed_row(X, "0 0.075 0.5 0.225 0.2"), pi=rows),
        statement=table_6, steps=[step("checked", table_6, finite())],
    ),
    breaks=[
        edit("longest = pi(x, z) == 0 or abs(x - z) <= 1", "checked"),
        edit("cheapest = pi(x, z) == 0 or abs(x - z) == x - z", "checked"),
    ],
)
