"""Section 3: the law of the answer is a sum over who is present; the printed formula is one term.

c(A) is the probability that U(j, A) = 1 says who is present, c(out) that only user i is not: as in
M07, (1 - zeta_i) prod zeta_j. D(j, w) is the report of user j, by any joint law, whoever is there.
"""
from pfverify.proof.language import *

(j, A), w, x = (indices("j", "Users"), indices("A", "Patterns")), draws("w", "W"), variables("x")
i, out, (c, U), D = member("i", "Users"), member("out", "Patterns"), masses("c U"), functions("D")
here = indicator(-abs(j - i))  # 1 for user i
answer, rest = total(U(j, A) * D(j, w), j), total((1 - here) * D(j, w), j)
is_x, is_x_rest = indicator(-abs(answer - x)), indicator(-abs(rest - x))  # f(D) = x, f(D_-i) = x
P_X, formula = total(c(A) * mean(is_x, w), A), mean(is_x_rest, w) * c(out)
patterns = U(j, out) == 1 - here and total(c(A), A) == 1
one, term = law({0: 1}), c(out) * at(mean(is_x, w), {A: out})

Claim(
    id="M08", source=paper("multi-user", "Section 3"), result=REPAIRED,
    words="The answer is x with probability Pr(f(D_-i) = x) (1 - zeta_i) prod zeta_j",
    printed=refuted(
        words="Two users, present with probability 1/2, report 1: P_X(1) = 1/2, the formula 1/4",
        given={"patterns": patterns}, statement=P_X == formula, at={x: 1},
        instance=instance(
            Users=[1, 2], i=1, Patterns=[0, 1, 2, 3], out=2, c={0: 1/4, 1: 1/4, 2: 1/4, 3: 1/4},
            U={(1, 1): 1, (2, 2): 1, (1, 3): 1, (2, 3): 1}, W=one, D={(1, 0): 1, (2, 0): 1}),
    ),
    corrected=proved(
        words="It is the probability that the answer is x and only user i is absent: one term of "
              "the sum over all patterns, and at most this",
        given={"patterns": patterns},
        example=instance(Users=[1], i=1, Patterns=[0], out=0, c={0: 1}, U={}, W=one, D={(1, 0): 1}),
        statement=term == formula and term <= P_X,
        steps=[
            step("sum", at(answer, {A: out}) == rest, termwise(arithmetic("patterns"), j)),
            step("is x", at(is_x, {A: out}) == is_x_rest, arithmetic("sum")),
            step("term", term == formula, integrate("is x", w, weight=c(out))),
            step("chance", 0 <= c(A) * mean(is_x, w), termwise(arithmetic(), w)),
            step("one of them", term <= P_X, one_term("chance", {A: out})),
        ],
    ),
    breaks=[
        edit("patterns = total(c(A), A) == 1", "sum", instance(
            Users=[1], i=1, Patterns=[0], out=0, c={0: 1}, U={(1, 0): 1}, W=one, D={(1, 0): 1}),
            {x: 0}),
    ],
)
