"""Lemma 6: its scale is at most 1/epsilon, and smaller exactly if p and q are both above 0."""
from pfverify.proof.language import *
from settings.lemma_6 import *

c, rest = member("c", "X"), law({0: 1/2, 1: 1/2})
attained = at(f_x, {x: c - 1}) > 0 and exp(1 / theta) == at(T_k, {k: c})
compared = theta <= 1 / epsilon and iff(theta < 1 / epsilon, p > 0 and q > 0)
at_n = at(T_k, {k: n}) == collapsed and implies(before > 0, at(T_k, {k: n}) <= T_k)

Claim(
    id="M38", source=paper("multi-user", "Lemma 6"), result=REPAIRED,
    words="The scale (21) is smaller than the scale 1/epsilon of Lemma 5",
    printed=refuted(
        words="p = 0: (21) gives 1/epsilon",
        given={"p, q": different, "largest": largest, "(21)": scale_21 and attained},
        statement=theta < 1 / epsilon,
        instance=instance(theta=1, epsilon=1, p=0, q=1/2, X=[0, 1, 2], n=2, c=2,
                          Rest=rest),
    ),
    corrected=proved(
        words="It is 1/log((e^epsilon max(p,q) - min(p,q))/|p - q|): at most 1/epsilon, and "
              "smaller exactly if p > 0 and q > 0",
        given={"p, q": different, "largest": largest, "(21)": scale_21 and attained},
        example=[instance(theta="1/log(3)", epsilon=log(2), p=1/2, q=1/4, X=[0, 1, 2], n=2, c=2,
                          Rest=rest),
                 instance(theta=1, epsilon=1, p=0, q=1/2, X=[0, 1, 2], n=2, c=2,
                          Rest=rest)],
        statement=compared and exp(1 / theta) == collapsed and as_printed,
        steps=[
            step("at n", at_n, theorem("M32", {}, "p, q", "largest", part="tighter")),
            step("from p, q", exp(1 / theta) == collapsed, arithmetic(
                use("(21)", {k: n}), use("(21)", {k: c}), use("at n", {k: c}), "largest")),
            step("more", collapsed >= E and iff(collapsed > E, p > 0 and q > 0),
                 arithmetic("p, q")),
            step("scale", compared, arithmetic("more", "from p, q")),
            step("psi", as_printed, arithmetic()),
        ],
    ),
    breaks=[
        edit("drop (21)", "from p, q", instance(
            theta=2, epsilon=1, p=1/2, q=1/4, X=[0, 1, 2], c=2, n=2, Rest=rest)),
        edit("compared = theta < 1 / epsilon", "scale", instance(
            theta=1, epsilon=1, p=0, q=1/2, X=[0, 1, 2], c=2, n=2, Rest=rest)),
    ],
)
