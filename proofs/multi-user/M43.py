"""Table 5: two of the printed values are not the cumulative sums of Table 4."""
from pfverify.proof.language import *

x, k = indices("x k", "X")
P, Q, F, G = masses("P Q F G")
X = [1, 2, 3, 4, 5]
p = printed_row(X, "0.2 0.225 0.5 0.075 0")
q = printed_row(X, "0 0.075 0.5 0.225 0.2")
cumulative = (F(x) == total(P(k) * indicator(x - k), k)
              and G(x) == total(Q(k) * indicator(x - k), k))
right = instance(X=X, P=p, Q=q, F=printed_row(X, "0.2 0.425 0.925 1 1"),
                 G=printed_row(X, "0 0.075 0.575 0.8 1"))

Claim(
    id="M43", source=paper("multi-user", "Table 5"), result=REPAIRED,
    words="Table 5 holds the cumulative distributions of the two priors in Table 4",
    printed=refuted(
        statement=cumulative,
        instance=instance(X=X, P=p, Q=q, F=printed_row(X, "0.2 0.42 0.925 1 1"),
                          G=printed_row(X, "0 0.075 0.575 0.925 1")),
    ),
    corrected=proved(
        words="They are 0.425 instead of 0.42 (first prior at 2) and 0.8 instead of 0.925 "
              "(second prior at 4)",
        data=right, statement=cumulative, steps=[step("sums", cumulative, finite())],
    ),
    breaks=[
        edit("p = printed_row(X, '0.2 0.2 0.5 0.1 0')", "sums"),
        edit("cumulative = F(x) == total(P(k), k)", "sums"),
    ],
)
