"""Proof of Theorem 4.1 (2): it is the derivative of the noise reduction that is negative."""
from pfverify.proof.language import *
from settings.column import *  # theta, smaller: the largest roots at epsilon, larger, c: at epsilon

here, there = n / epsilon - theta, n / larger - smaller

Claim(
    id="N25", source=paper("noise-reduction", "Theorem 4.1, proof"), result=REPAIRED,
    words="The noise reduction is negative for epsilon < 1",
    symbols=signs, meaning=meant,
    printed=refuted(
        given={"root": root, "small": epsilon < 1, "largest": largest},
        statement=here < 0, words="Table 1 at e^epsilon = 2",
        instance=instance(epsilon=log(2), theta="1/log(26)", n=1, c=1, X=[0, 1],
                          pi=table_1),
    ),
    corrected=proved(
        words="Its chords are at most 0, for every epsilon: it does not grow (strictly falls "
              "while it is not 0, N24)",
        given={"order": epsilon < larger, "root": root, "columns": columns_there,
               "largest": largest},
        example=halves_there, statement=(there - here) / (larger - epsilon) <= 0,
        steps=[
            step("N24", there <= here,
                 theorem("N24", {}, "order", "root", "columns", "largest")),
            step("chord", (there - here) / (larger - epsilon) <= 0, arithmetic("N24", "order")),
        ],
    ),
    breaks=[
        edit("drop largest", "N24", instance(
            epsilon=log(2), theta="1/log(3)", larger=log(3), smaller="1/log(5)", n=1/2, c=1,
            X=[0, 1], pi={(0, 1): 1/2, (1, 1): 1/2})),
        edit("drop columns", "N24", instance(
            epsilon=log(2), theta=1 / log(3), larger=log(3), smaller=1 / log(100), n=1, c=1,
            X=[0, 1], pi={(0, 1): 1/2, (1, 1): 1/2})),
    ],
)
