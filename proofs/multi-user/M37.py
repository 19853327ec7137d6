"""Lemma 6: of the others its scale needs nothing but that their sum has a largest value."""
from pfverify.proof.language import *
from settings.lemma_6 import *

theta_2, o = positive("theta_2"), draws("o", "Others")  # another system with the same user
m, c, c_2 = member("m c c_2", "X")
f_2 = mean(indicator(-abs(o - x)), o)
psi_2 = ((1 - maximum(p, q)) * at(f_2, {x: k}) / at(f_2, {x: k - 1}) + minimum(p, q)) / abs(p - q)
U_k, one = E + (E - 1) * psi_2, exp(1 / theta) == collapsed
scale = scale_21 and at(before, {k: c}) > 0 and exp(1 / theta) == at(T_k, {k: c})
scale_2 = implies(at(f_2, {x: k - 1}) > 0, exp(1 / theta_2) <= U_k) and (
    at(f_2, {x: c_2 - 1}) > 0 and exp(1 / theta_2) == at(U_k, {k: c_2}))
largest_2 = o <= m - 1 and at(f_2, {x: m - 1}) > 0
two = instance(theta="1/log(3)", theta_2="1/log(3)", epsilon=log(2), p=1/2, q=1/4, X=[0, 1, 2],
               n=2, m=1, c=2, c_2=1, Rest=law({0: 1/2, 1: 1/2}), Others=law({0: 1}))

Claim(
    id="M37", source=paper("multi-user", "Lemma 6"), result=REPAIRED,
    words="Computing the scale (21) requires knowledge of the statistics of the other users",
    printed=denied(
        words="That two systems of other users have two scales would show it; where their sums "
              "have largest values, the scale is the same",
        printed=exp(1 / theta) != exp(1 / theta_2),
        given={"p, q": different, "largest": largest, "(21)": scale, "largest 2": largest_2,
               "(21) 2": scale_2}, example=two, statement=theta == theta_2,
        steps=[
            step("one", one, theorem("M38", {}, "p, q", "largest", "(21)", part="corrected")),
            step("other", exp(1 / theta_2) == collapsed, theorem(
                "M38", {"Rest": "Others", "r": o, "n": m, "c": c_2, "theta": theta_2},
                "p, q", "largest 2", "(21) 2", part="corrected")),
            step("same", theta == theta_2, arithmetic("one", "other")),
        ],
    ),
    corrected=proved(
        words="It is 1/log((e^epsilon max(p,q) - min(p,q))/|p - q|), from p and q alone",
        given={"p, q": different, "largest": largest, "(21)": scale}, example=two,
        statement=one and as_printed, steps=[step("scale", one and as_printed, theorem(
            "M38", {}, "p, q", "largest", "(21)", part="corrected"))],
    ),
    breaks=[
        edit("drop largest 2", "other"),
        edit("drop (21)", "one", instance(
            theta=1, theta_2="1/log(3)", epsilon=log(2), p=1/2, q=1/4, X=[0, 1, 2], n=2, m=1,
            c=2, c_2=1, Rest=law({0: 1/2, 1: 1/2}), Others=law({0: 1}))),
    ],
)
