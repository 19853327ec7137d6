"""Table 4: the steps of Lemma 1 are 2 at x = 1 and 0 at x = 5, and the longest of them is 2."""
from pfverify.proof.language import *

x, k = indices("x k", "X")
first, last = member("first last", "X")
P, Q, longest = masses("P Q longest")
F, G = total(P(k) * indicator(x - k), k), total(Q(k) * indicator(x - k), k)
X = [1, 2, 3, 4, 5]
least = longest(x)  # the step at x: what lies strictly short of it does not reach F
reached = total(Q(k) * indicator(x + least - k), k)
short_of_it = total(Q(k) * (1 - indicator(k - x - least)), k)
steps_of_25 = (F >= G and implies(F == G, least == 0)
               and implies(F > G, least > 0 and short_of_it < F and F <= reached))
values = steps_of_25 and longest(first) == 2 and longest(last) == 0 and least <= 2

Claim(
    id="M44", source=paper("multi-user", "Appendix A"), result=PROVED,
    words="For Table 4 the step of Lemma 1 is 2 at the first letter, 0 at the last, and nowhere "
          "more than 2",
    printed=proved(
        data=instance(X=X, first=1, last=5, P=printed_row(X, "0.2 0.225 0.5 0.075 0"),
                      Q=printed_row(X, "0 0.075 0.5 0.225 0.2"),
                      longest={1: 2, 2: 1, 3: 2, 4: 1}),
        statement=values, steps=[step("values", values, finite())],
    ),
    breaks=[edit("values = steps_of_25 and least <= 1", "values")],
)
