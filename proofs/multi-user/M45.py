"""Table 4: the steps of Lemma 1 at x = 2, 3 and 4 are 1, 2 and 1."""
from pfverify.proof.language import *

x, k = indices("x k", "X")
two, three, four = member("two three four", "X")
P, Q, least = masses("P Q least")
F, G = total(P(k) * indicator(x - k), k), total(Q(k) * indicator(x - k), k)
X = [1, 2, 3, 4, 5]
reached = total(Q(k) * indicator(x + least(x) - k), k)
short_of_it = total(Q(k) * (1 - indicator(k - x - least(x))), k)  # strictly short of the step
steps_of_25 = (F >= G and implies(F == G, least(x) == 0)
               and implies(F > G, least(x) > 0 and short_of_it < F and F <= reached))
values = steps_of_25 and least(two) == 1 and least(three) == 2 and least(four) == 1
table_4 = instance(X=X, two=2, three=3, four=4, P=printed_row(X, "0.2 0.225 0.5 0.075 0"),
                   Q=printed_row(X, "0 0.075 0.5 0.225 0.2"), least={1: 2, 2: 1, 3: 2, 4: 1})

Claim(
    id="M45", source=paper("multi-user", "Appendix A"), result=REPAIRED,
    words="For Table 4 the step of Lemma 1 is the same at the letters 2, 3 and 4",
    printed=refuted(
        given={"(25)": steps_of_25}, instance=table_4,
        statement=least(two) == least(three) and least(three) == least(four),
    ),
    corrected=proved(
        words="The steps are 1, 2 and 1",
        data=table_4, statement=values, steps=[step("values", values, finite())],
    ),
    breaks=[
        edit("values = least(two) == 2", "values"),
        edit("reached = total(Q(k) * indicator(x - k), k)", "(25)"),
    ],
)
