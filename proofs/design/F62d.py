"""F62: the tails of the binomial law are those of independent tries, one after the other.

C(n, i) are Pascal's numbers, 0 outside of 0, ..., n. With g = log p and f = log(1 - p), 0 < p < 1,
e^(i g) is p^i. So F62b is about the tails of the binomial law.

Symbols:
p: the chance
g: the logarithm of the chance
f: the logarithm of 1 - the chance
n: a number of tries before the next
k, v: numbers of successes
i, a, b: numbers of successes from 0 on
o, last: 0 and a number that n tries do not reach
C: Pascal's numbers
"""
from pfverify.proof.language import *

(p, g, f, n), (k, v), C = constants("p g f n"), variables("k v"), functions("C")
(i, a, b), (o, last) = indices("i a b", "Counts"), member("o last", "Counts")
mass = C(n, v) * exp(v * g) * exp((n - v) * f)  # C p^v (1 - p)^(n - v)
next_one, one_less, part = at(mass, {n: n + 1}), at(mass, {v: v - 1}), mass * indicator(v - k)
tail, G = total(at(part, {v: i}), i), at(part, {k: k - 1})
next_tail, tail_less = at(tail, {n: n + 1}), at(tail, {k: k - 1})
shifted = at(one_less * indicator(v - k), {v: i})

Claim(
    id="F62d", source=paper("design", "F62"), result=PROVED,
    words="The sum over i >= k of C(n+1, i) p^i (1-p)^(n+1-i) is p times that of n from k - 1 on "
          "plus 1 - p times that of n from k on, if C(n+1, i) = C(n, i-1) + C(n, i)",
    printed=proved(
        given={"counts": is_chain([a, b], [o, last]), "chance": p == exp(g) and 1 - p == exp(f),
               "Pascal": C(n + 1, v) == C(n, v - 1) + C(n, v),
               "outside": C(n, o - 1) == 0 and C(n, last) == 0},
        example=instance(p=1/2, g=-log(2), f=-log(2), n=1, Counts=[0, 1, 2], o=0, last=2, C={
            (1, 0): 1, (1, 1): 1, (2, 0): 1, (2, 1): 2, (2, 2): 1, "else": 0}),
        statement=next_tail == p * tail_less + (1 - p) * tail,
        steps=[
            step("mass", next_one == p * one_less + (1 - p) * mass, arithmetic(
                "Pascal", "chance")),
            step("masses", next_tail == total(p * shifted + (1 - p) * at(part, {v: i}), i),
                 termwise(arithmetic(use("mass", {v: i})), i)),
            step("shift", total(difference(G, v, i, 1), i) == at(G, {v: last}) - at(G, {v: o - 1}),
                 theorem("F10a", {"h": 1, "X": "Counts", "k": b, "n": last, "f": maps(v, G)},
                         "counts")),
            step("all", next_tail == p * tail_less + (1 - p) * tail, arithmetic(
                "masses", "shift", "outside")),
        ],
    ),
    breaks=[edit("drop Pascal", "mass"), edit("drop outside", "all"),
            edit("drop counts", "shift"), edit("drop chance", "mass")],
)
