"""Lemma 6 with its proof's letters for p > q: the letter |V| is left out, and it is needed.

X is {1, ..., |V|}, n is |V|; at the letter 0 the ratio of (21) divides by 0.
"""
from pfverify.proof.language import *
from settings.lemma_6 import *

rest, values = law({0: 1/3, 1: 2/3}), 1 <= k and k <= n and 0 <= r
up_to_the_last = implies(k <= n - 1, scale_21)

Claim(
    id="M32b", source=paper("multi-user", "Lemma 6, proof"), result=REPAIRED,
    words="For p > q Laplace noise of the scale (21), over the letters up to |V| - 1, hides which "
          "of two Bernoulli laws a user's report has, where |V| - 1 others report 0 or 1",
    printed=refuted(
        words="Two users, p = 1/2, q = 0, the other one reports 1 with probability 2/3, e^epsilon "
              "= 2: the scale is 1/log(4), and from y = 2 on the ratio is 5/2",
        given={"p, q": different and p > q, "values": values, "(21)": up_to_the_last,
               "largest": largest},
        statement=private, at={y: 2},
        instance=instance(theta="1/log(4)", epsilon=log(2), p=1/2, q=0, X=[1, 2], n=2, Rest=rest),
    ),
    corrected=proved(
        words="It does if the letter |V| is one of them, where the ratio of (21) is 0: in this "
              "instance (21) is then 1/log(2), and 1/log(3) the least scale (M28)",
        given={"p, q": different and p > q, "values": values, "(21)": scale_21,
               "largest": largest},
        example=instance(theta="1/log(2)", epsilon=log(2), p=1/2, q=0, X=[1, 2], n=2, Rest=rest),
        statement=private and as_printed,
        steps=[step("private", private and as_printed, theorem(
            "M32", {}, "p, q", "(21)", "largest"))],
    ),
    breaks=[
        edit("drop (21)", "private", instance(
            theta="1/log(4)", epsilon=log(2), p=1/2, q=0, X=[1, 2], n=2, Rest=rest), {y: 2}),
        edit("drop largest", "private"),
    ],
)
