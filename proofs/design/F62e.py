"""F62: the probability of k or more in independent tries is the sum of the binomial formula.

Symbols:
p: the chance
g: the logarithm of the chance
f: the logarithm of 1 - the chance
"""
from pfverify.proof.language import *
from settings.tries import *

p, g, f = constants("p g f")
formula = total(C(w, i) * exp(i * g) * exp((w - i) * f) * indicator(i - k), i)
same, less = tail(w, k, p) == formula, {w: m - 1}
next_one, ends = C(w + 1, v) == C(w, v - 1) + C(w, v), C(w, first - 1) == 0 and C(w, last) == 0
after = p * at(formula, {w: m - 1, k: k - 1}) + (1 - p) * at(formula, less)

Claim(
    id="F62e", source=paper("design", "F62"), result=PROVED,
    words="The probability of k or more successes in n independent tries of chance p is the sum "
          "over i >= k of C(n, i) p^i (1 - p)^(n - i), for every n from 0 on and every k",
    printed=proved(
        given={"tries": tries, "counts": counts, "chance": p == exp(g) and 1 - p == exp(f),
               "no try": at(same, {w: o}), "one more": one_more, "Pascal": pascal,
               "outside": outside},
        example=instance(p=1/2, g=-log(2), f=-log(2), Tries=[0], o=0, most=0, Counts=[0, 1],
                         first=0, last=1, C={"else": 0}, tail={"else": 0}),
        statement=at(same, {w: n}),
        steps=[
            step("all", at(same, {w: n}), induction("tries", "no try", n, same, w, m, [
                step("m", o <= m - 1 and m - 1 < most, arithmetic(
                    use("tries", {j: o, l: m}), "not first")),
                step("at m", tail(m, k, p) == p * tail(m - 1, k - 1, p) + (1 - p) * tail(
                    m - 1, k, p), arithmetic(use("one more", {n: m, t: p}), "not first")),
                step("rows", at(next_one, less), arithmetic(use("Pascal", less), "m")),
                step("ends", at(ends, less), arithmetic(use("outside", less), "m")),
                step("next", at(formula, {w: m}) == after, theorem(
                    "F62d", {"n": m - 1, "o": first}, "counts", "chance", "rows", "ends")),
                step("all m", at(same, {w: m}), arithmetic(
                    "at m", "next", "before", use("before", {k: k - 1}))),
            ])),
        ],
    ),
    breaks=[
        edit("drop one more", "all"), edit("drop Pascal", "all"), edit("drop outside", "all"),
        edit("drop no try", "all"), edit("drop chance", "all"),
    ],
)
