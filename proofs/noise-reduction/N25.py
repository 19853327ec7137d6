"""Proof of Theorem 4.1 (2): it is the derivative of the noise reduction that is negative."""
from pfverify.proof.language import *

epsilon, n, theta, larger, smaller = positive("epsilon n theta larger smaller")
(x, z), c = indices("x z", "X"), member("c", "X")  # as in N24: column c has the largest root
pi = masses("pi")
Q = total(pi(x, c), x)
f = total(pi(x, z) * (exp(abs(x - z) / theta) - exp(epsilon)), x)
root = at(f, {z: c}) == 0 and Q > 0
columns = at(f, {theta: smaller, epsilon: larger}) <= 0
largest = pi(x, z) * (abs(x - z) - n) <= 0

Claim(
    id="N25", source=paper("noise-reduction", "Theorem 4.1, proof"), result=REPAIRED,
    words="The noise reduction is negative for epsilon < 1",
    printed=refuted(
        given={"root": root, "small": epsilon < 1, "largest": largest},
        statement=n / epsilon - theta < 0, words="Table 1 at e^epsilon = 2",
        instance=instance(epsilon=log(2), theta="1/log(26)", n=1, c=1, X=[0, 1],
                          pi=plan({0: 13/25, 1: 12/25}, {0: 1/2, 1: 1/2})),
    ),
    corrected=proved(
        words="Its chords are at most 0, for every epsilon: it does not grow (strictly falls "
              "while it is not 0, N24)",
        given={"order": epsilon < larger, "root": root, "columns": columns,
               "largest": largest},
        example=instance(epsilon=log(2), theta="1/log(3)", larger=log(3), smaller="1/log(5)", n=1,
                         c=1, X=[0, 1], pi={(0, 1): 1/2, (1, 1): 1/2}),
        statement=((n / larger - smaller) - (n / epsilon - theta)) / (larger - epsilon) <= 0,
        steps=[
            step("N24", n / larger - smaller <= n / epsilon - theta and implies(
                n / epsilon - theta > 0, n / larger - smaller < n / epsilon - theta),
                 theorem("N24", {}, "order", "root", "columns", "largest")),
            step("chord", ((n / larger - smaller) - (n / epsilon - theta)) / (larger - epsilon)
                 <= 0, arithmetic("N24", "order")),
        ],
    ),
    breaks=[
        edit("drop largest", "N24", instance(
            epsilon=log(2), theta="1/log(3)", larger=log(3), smaller="1/log(5)", n=1/2, c=1,
            X=[0, 1], pi={(0, 1): 1/2, (1, 1): 1/2})),
    ],
)
