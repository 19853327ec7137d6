"""F62: the lower end of a Clopper-Pearson interval is above the chance with probability <= share/2.

K counts the records of one kind. The upper end is 1 - the lower end for n - K, whose chance is
1 - p. If low(k) > p for some k, s is the least such k; if for none, s may be any.

Symbols:
p: the chance
share: the probability with which the interval may fail
k, z: values of the count
s: the least value of which the end is above the chance
t, u: any chances
B: masses of the count, for a chance
low: the lower end for a value
"""
from pfverify.proof.language import *

(p, share), (k, z), s = constants("p share"), indices("k z", "N"), member("s", "N")
(t, u), B, low = variables("t u"), masses("B"), functions("low")
tail, above = total(B(k, t) * indicator(k - z), k), 1 - indicator(p - low(k))  # low(k) > p
fails, chances = total(B(k, p) * above, k), 0 <= t and t <= u and u <= 1
end, of_p, of_s = at(tail, {t: low(z)}), at(tail, {t: p, z: s}), at(tail, {t: low(s), z: s})

Claim(
    id="F62", source=paper("design", "F62"), result=PROVED,
    words="If the probability of k or more rises with the chance, for every k (a premise here), "
          "and is at most share/2 at low(k) where low(k) > 0, then low(K) is above the chance with "
          "probability at most share/2",
    printed=proved(
        given={"chance": 0 <= p, "share": 0 <= share, "ends": low(z) <= 1,
               "rises": implies(chances, tail <= at(tail, {t: u})),
               "rare": low(z) == 0 or end <= share / 2,
               "least": low(k) <= p or s <= k and p < low(s)},
        example=instance(p=1/2, share=1, N=[0, 1], s=1, B={"else": 1/2}, low={0: 0, 1: 3/4}),
        statement=fails <= share / 2,
        steps=[
            step("each", B(k, p) * above <= B(k, p) * indicator(k - s), arithmetic("least")),
            step("event", fails <= of_p, integrate("each", k)),
            step("none", implies(low(s) <= p, B(k, p) * above <= 0), arithmetic("least")),
            step("no event", implies(low(s) <= p, fails <= 0), integrate("none", k)),
            step("s", implies(p < low(s), of_p <= of_s), arithmetic(
                "chance", use("ends", {z: s}), use("rises", {t: p, u: low(s), z: s}))),
            step("all", fails <= share / 2, arithmetic(
                "event", "no event", "s", "share", "chance", use("rare", {z: s}))),
        ],
    ),
    meaning=[total(B(k, p), k) == 1, p <= 1, share <= 1],
    breaks=[
        edit("drop rare", "all"), edit("drop rises", "s"), edit("drop least", "each"),
        edit("drop ends", "s"), edit("drop chance", "s"), edit("drop share", "all"),
    ],
)
