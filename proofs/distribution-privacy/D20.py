"""Algorithm 1: the place of the secret's value among the k dummies."""
from pfverify.proof.language import *

k = positive("k")
i, j = indices("i j", "I")  # I: the numbers from which i is drawn, each with the same chance
chance = indicator(-abs(i - j)) / total(1, i)  # of i = j: after r_1, ..., r_j comes s
first = indicator(-abs(i)) / total(1, i)  # of i = 0: s comes before all dummies

Claim(
    id="D20", source=paper("distribution-privacy", "Algorithm 1"), result=REPAIRED,
    words="With i drawn from {1, ..., k + 1} the tuple (r_1, ..., r_i, s, r_(i+1), ..., r_k) has "
          "the value s at each of its k + 1 places with the same chance",
    printed=refuted(
        words="i = k + 1 asks for a dummy r_(k+1) that is not drawn, and s is never the first",
        given={"I": 1 <= i <= k + 1, "k + 1 numbers": total(1, i) == k + 1},
        statement=i <= k and total(first, i) == 1 / (k + 1), at={i: 2},
        instance=instance(k=1, I=[1, 2]),
    ),
    corrected=proved(
        words="i is to be drawn from {0, ..., k}: then all dummies used are drawn, and s comes "
              "after j of them with the chance 1/(k + 1) for each j = 0, ..., k",
        given={"I": 0 <= i <= k, "k + 1 numbers": total(1, i) == k + 1},
        example=instance(k=2, I=[0, 1, 2]),
        statement=i <= k and total(chance, i) == 1 / (k + 1),
        steps=[
            step("other", implies(i != j, indicator(-abs(i - j)) == 0), arithmetic()),
            step("one", total(indicator(-abs(i - j)), i) == 1, single("other", i)),
            step("chance", total(chance, i) == 1 / (k + 1), arithmetic("one", "k + 1 numbers")),
            step("all", i <= k and total(chance, i) == 1 / (k + 1), arithmetic("chance", "I")),
        ],
    ),
    breaks=[
        edit("drop k + 1 numbers", "chance", instance(k=2, I=[0, 1])),
        edit("drop I", "all", instance(k=1, I=[1, 2])),
    ],
)
