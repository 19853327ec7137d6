"""F62: the lower end of a Clopper-Pearson interval is above the chance with probability <= share/2.

K counts the records of one kind. The upper end is 1 - the lower end for n - K, whose chance is
1 - p. If low(k) > p for some k, s is the least such k; if for none, s may be any. That the chance
of so many or more rises, and is so small at the end, is a premise here, and shown in F62.

Symbols:
p: the chance
share: the probability with which the interval may fail
k, z: values of the count
s: the least value of which the end is above the chance
t, u: any chances
B: masses of the count, for a chance
low: the lower end for a value
e: that for s
"""
from pfverify.proof.language import *

(p, share, e), (k, z), s = constants("p share e"), indices("k z", "N"), member("s", "N")
(t, u), B, low = variables("t u"), masses("B"), functions("low")
tail, above = total(B(k, t) * indicator(k - z), k), 1 - indicator(p - low(k))  # low(k) > p
fails, chances = total(B(k, p) * above, k), 0 <= t and t <= u and u <= 1
of_p, of_s = at(tail, {t: p, z: s}), at(tail, {t: e, z: s})

Claim(
    id="F62a", source=paper("design", "F62"), result=PROVED,
    words="If the probability of k or more rises with the chance, for every k (a premise here), "
          "and is at most share/2 at the end for s (if that is not 0), low(K) is above the chance "
          "with probability at most share/2",
    printed=proved(
        given={"chance": 0 <= p, "share": 0 <= share, "end": e <= 1,
               "rises": implies(chances, tail <= at(tail, {t: u})),
               "rare": e == 0 or of_s <= share / 2,
               "least": low(k) <= p or s <= k and p < e},
        example=instance(p=1/2, share=1, e=3/4, N=[0, 1], s=1, B={"else": 1/2}, low={0: 0, 1: 3/4}),
        statement=fails <= share / 2,
        steps=[
            step("each", B(k, p) * above <= B(k, p) * indicator(k - s), arithmetic("least")),
            step("event", fails <= of_p, integrate("each", k)),
            step("none", implies(e <= p, B(k, p) * above <= 0), arithmetic("least")),
            step("no event", implies(e <= p, fails <= 0), integrate("none", k)),
            step("s", implies(p < e, of_p <= of_s), arithmetic(
                "chance", "end", use("rises", {t: p, u: e, z: s}))),
            step("all", fails <= share / 2, arithmetic(
                "event", "no event", "s", "share", "chance", "rare")),
        ],
    ),
    meaning=[total(B(k, p), k) == 1, p <= 1, share <= 1],
    breaks=[
        edit("drop rare", "all"), edit("drop rises", "s"), edit("drop least", "each"),
        edit("drop end", "s"), edit("drop chance", "s"), edit("drop share", "all"),
    ],
)
