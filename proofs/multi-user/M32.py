"""Lemma 6 (21): private for both orders of p and q; its scale does not depend on the others."""
from pfverify.proof.language import *
from settings.lemma_6 import *

f_n, half = at(f_x, {x: n}), law({0: 1/2, 1: 1/2})
T_n = at(T_k, {k: n})
least_at_n = T_n == collapsed and implies(before > 0, T_n <= T_k)

Claim(
    id="M32", source=paper("multi-user", "Lemma 6"), result=PROVED,
    words="Laplace noise of the scale (21), over all letters up to the one after the others' "
          "largest sum, hides which of two Bernoulli laws a user's report has",
    printed=proved(
        given={"p, q": different, "(21)": scale_21, "largest": largest},
        example=instance(theta="1/log(3)", epsilon=log(2), p=1/2, q=1/4, X=[0, 1, 2], n=2,
                         Rest=half),
        statement=private and as_printed,
        steps=[
            step("beyond", f_n == 0, termwise(arithmetic("largest"), r)),
            step("fits", at(fits, as_d), arithmetic(
                "p, q", "beyond", "largest", use("(21)", {k: n}))),
            step("enough", implies(at(fits, as_d), private), theorem("F34", as_F34, "p, q")),
            step("private", private, arithmetic("enough", "fits")),
            step("psi", as_printed, arithmetic()),
        ],
    ),
    tighter=proved(
        words="The smallest of what the logarithms are of is at the letter after the largest sum "
              "of the others, and is (e^epsilon max(p,q) - min(p,q))/|p - q| (M28: the least)",
        given={"p, q": different, "largest": largest},
        example=instance(epsilon=log(2), p=1/2, q=1/4, X=[0, 1, 2], n=2, Rest=half),
        statement=least_at_n,
        steps=[
            step("beyond", f_n == 0, termwise(arithmetic("largest"), r)),
            step("chance", 0 <= at_k, termwise(arithmetic(), r)),
            step("at n", T_n == collapsed, arithmetic("p, q", "beyond", "largest")),
            step("least", implies(before > 0, T_n <= T_k), arithmetic(
                "p, q", "beyond", "largest", "chance")),
        ],
    ),
    breaks=[
        edit("psi = minimum(p, q) / abs(p - q)", "psi", instance(
            theta="1/log(3)", epsilon=log(2), p=1/2, q=1/4, X=[0, 1, 2], n=2, Rest=half), {k: 1}),
        edit("drop largest", "beyond", instance(
            theta="1/log(5)", epsilon=log(2), p=1/2, q=1/4, X=[0, 1], n=1, Rest=half)),
        edit("drop (21)", "fits", instance(
            theta="1/log(9)", epsilon=log(2), p=0, q=1/2, X=[0, 1], n=1, Rest=law({0: 1}))),
    ],
)
