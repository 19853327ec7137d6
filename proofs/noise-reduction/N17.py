"""Section 3.3: distances of 5 and more do not exclude a closed form of the scale."""
from pfverify.proof.language import *

theta, epsilon, n = positive("theta epsilon n")
x = indices("x", "X")
b = member("b", "X")
pi = masses("pi")
f = total((exp(abs(x - b) / theta) - exp(epsilon)) * pi(x, b), x)
f_closed = at(f, {theta: n / epsilon})

Claim(
    id="N17", source=paper("noise-reduction", "Section 3.3"), result=REPAIRED,
    words="If the largest distance n is 5 or more, the root of f has no expression in radicals of "
          + "e^epsilon; in particular it is not n/epsilon",
    meaning=[total(pi(x, b), x) <= 1],
    printed=refuted(
        words="P at 5 and Q at 0: 5/epsilon is the root",
        given={"5 or more": n >= 5, "reached": pi(n, b) > 0 and abs(n - b) == n},
        statement=f_closed != 0,
        instance=instance(epsilon=1/2, n=5, b=0, X=[0, 5], pi=plan({5: 1}, {0: 1})),
    ),
    corrected=proved(
        words="If all mass of the column is at one distance n, its root is n/epsilon, for every n",
        given={"one distance": pi(x, b) == 0 or abs(x - b) == n},
        example=instance(epsilon=1/2, n=5, b=0, X=[0, 5], pi=plan({5: 1}, {0: 1})),
        statement=f_closed == 0,
        steps=[
            step("root", f_closed == 0, termwise(arithmetic("one distance"), x)),
        ],
    ),
    breaks=[
        edit("drop one distance", "root",
             instance(epsilon=1/2, n=5, b=0, X=[0, 5], pi={(0, 0): 1/2, (5, 0): 1/2})),
    ],
)
