"""F62: the ends of Clopper-Pearson intervals, from the binomial formula to what they promise.

Symbols:
p: the chance of each try
share: the probability with which the interval may fail (the upper end: 1 - p and the other tries)
r, z: values of the count
s: the least value of which the end is above the chance, if there is one
B: masses of the count, for a chance
low: the lower end for a value
g, f: logarithms of the end for s and of 1 - it (where there is no s, of any such end)
"""
from pfverify.proof.language import *
from settings.tries import *

(p, share), (r, z), s = constants("p share"), indices("r z", "N"), member("s", "N")
(g, f), B, low = constants("g f"), masses("B"), functions("low")
formula = total(C(w, i) * exp(i * g) * exp((w - i) * f) * indicator(i - k), i)
of_K, fails = total(B(r, t) * indicator(r - z), r), total(
    B(r, p) * (1 - indicator(p - low(r))), r)  # low(K) > p
grown, end = 0 <= t and t <= u and u <= 1, exp(g)

Claim(
    id="F62", source=paper("design", "F62"), result=PROVED,
    words="If the binomial formula has at most share/2 at the lower end for so many or more, the "
          "end for the count of independent tries is above the chance as seldom as share/2",
    printed=proved(
        given={"tries": tries, "counts": counts, "no try": no_try, "one more": one_more,
               "Pascal": pascal, "outside": outside, "law": of_K == tail(most, z, t),
               "formula 0": at(formula, {w: o}) == start(k), "chance": 1 - end == exp(f),
               "from 0": 0 <= p and 0 <= share and end <= 1, "rare": at(formula, {
                   w: most, k: s}) <= share / 2, "least": low(r) <= p or s <= r and p < end},
        example=instance(p=1/2, share=1, Tries=[0], o=0, most=0, N=[0], s=0, Counts=[0, 1], first=0,
                         last=1, C={"else": 0}, g=-log(2), f=-log(2), low={0: 0},
                         B={"else": 0}, tail={"else": 0}, start={"else": 0}),
        statement=fails <= share / 2,
        steps=[
            step("grows", implies(grown, tail(n, k, t) <= tail(n, k, u)), theorem(
                "F62b", {"a": j, "b": l}, "tries", "no try", "one more")),
            step("rises", implies(grown, of_K <= at(of_K, {t: u})), arithmetic(
                use("grows", {n: most, k: z}), "law", use("law", {t: u}))),
            step("start", tail(o, k, end) == at(formula, {w: o}), arithmetic(
                use("no try", {t: end}), "formula 0")),
            step("formula", tail(n, k, end) == at(formula, {w: n}), theorem("F62e", {
                "p": end}, "tries", "counts", "chance", "start", "one more", "Pascal", "outside")),
            step("rare s", at(of_K, {t: end, z: s}) <= share / 2, arithmetic(
                "rare", use("formula", {n: most, k: s}), use("law", {t: end, z: s}))),
            step("all", fails <= share / 2, theorem(
                "F62a", {"k": r, "e": end}, "rises", "rare s", "from 0", "least")),
        ],
    ),
    breaks=[
        edit("drop Pascal", "formula"), edit("drop one more", "grows"), edit("drop rare", "rare s"),
        edit("drop law", "rises"), edit("drop least", "all"),
    ],
)
