"""Proposition 3.3 (1): the starting points bracket the root, not strictly and not always."""
from pfverify.proof.language import *

(E, n), Phi, x, c = positive("E n"), constants("Phi"), indices("x", "X"), member("c", "X")
pi = masses("pi")
d, Q, stay = abs(x - c), total(pi(x, c), x), pi(c, c)
equation_14 = exp(Phi) == (E * Q - stay) / (Q - stay)
largest = pi(x, c) * (d - n) <= 0
f_a = total(pi(x, c) * (exp(d * Phi) - E), x)
f_b = total(pi(x, c) * (exp(d * Phi / n) - E), x)
table_1 = instance(E=2, n=1, c=1, Phi=log(26), X=[0, 1],
                   pi=plan({0: 13/25, 1: 12/25}, {0: 1/2, 1: 1/2}))

Claim(
    id="N19", source=paper("noise-reduction", "Proposition 3.3 (1)"), result=REPAIRED,
    words="f is positive at theta_a = 1/Phi and negative at theta_b = n/Phi, for every plan",
    meaning=[Q <= 1],
    printed=refuted(
        given={"E > 1": E > 1, "off": Q > stay, "(14)": equation_14, "largest distance": largest},
        statement=f_a > 0 and f_b < 0, instance=table_1,
        words="both are 0 in column 1 of Table 1; in column 0, (14) divides by 0",
    ),
    corrected=proved(
        words="with mass off the diagonal and distances of at least 1 there, and not strictly",
        given={"E > 1": E > 1, "off": Q > stay, "(14)": equation_14, "largest distance": largest,
               "spacing": x == c or d >= 1}, example=table_1, statement=f_a >= 0 and f_b <= 0,
        steps=[
            step("Phi > 0", Phi > 0, arithmetic("E > 1", "off", "(14)")),
            step("a", stay + (Q - stay) * exp(Phi) <= total(pi(x, c) * exp(d * Phi), x),
                 theorem("F22", {"w": maps(x, pi(x, c)), "u": Phi, "m": 1}, "Phi > 0", "spacing",
                         part="tighter")),
            step("b", total(pi(x, c) * exp(d * Phi / n), x) <= stay + (Q - stay) * exp(Phi),
                 theorem("F22", {"w": maps(x, pi(x, c)), "u": Phi / n, "n": n}, "Phi > 0",
                         "largest distance")),
            step("bracket", f_a >= 0 and f_b <= 0, arithmetic("(14)", "off", "a", "b")),
        ],
    ),
    breaks=[
        edit("drop spacing", "a",
             instance(E=2, n=1/2, c=1/2, Phi=log(2), X=[0, 1/2], pi={(0, 1/2): 1})),
        edit("drop (14)", "Phi > 0", instance(
            E=2, n=1, c=1, Phi=1, X=[0, 1], pi={(0, 1): 1/2, (1, 1): 1/2})),
        edit("drop largest distance", "b", instance(
            E=2, n=1/2, c=1, Phi=log(3), X=[0, 1], pi={(0, 1): 1/2, (1, 1): 1/2})),
    ],
)
