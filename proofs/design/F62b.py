"""F62: the probability of k or more successes in independent tries rises with their chance.

One more try succeeds with the chance, whatever came before: k or more are then k - 1 or more
before it, or else k or more. Without tries there are 0: start(k) is 1 for k <= 0, else 0.

Symbols:
n, a, b: numbers of tries
o, most: no try and the most of them
m: a number of tries that is not 0
k: a number of successes
t, u: chances
tail: the probability of so many or more in so many tries, for a chance
start: that without tries
"""
from pfverify.proof.language import *

(n, a, b), (o, most, m) = indices("n a b", "Tries"), member("o most m", "Tries")
(k, t, u, v), (tail, start) = variables("k t u v"), functions("tail start")
fewer, as_many, chances = tail(n - 1, k - 1, t), tail(n - 1, k, t), 0 <= t and t <= u and u <= 1
one_more, none = t * fewer + (1 - t) * as_many, tail(o, k, t) == start(k)
rises = implies(chances, tail(v, k, t) <= tail(v, k, u))
falls = implies(0 <= t and t <= 1, tail(v, k, t) <= tail(v, k - 1, t))
both, now = rises and falls, at(tail(n, k, t) == one_more, {n: m})
at_u = at(t * at(fewer, {t: u}) + (1 - t) * at(as_many, {t: u}), {n: m})

Claim(
    id="F62b", source=paper("design", "F62"), result=PROVED,
    words="The probability of k or more successes in n independent tries with one chance rises "
          "with the chance, for every n from 0 on and every k (and falls as k rises)",
    printed=proved(
        given={"tries": is_chain([a, b], [o, most]), "no try": none and start(k) <= start(k - 1),
               "one more": n == o or tail(n, k, t) == one_more},
        example=instance(Tries=[0, 1], o=0, most=1, tail={"else": 1}, start={"else": 1}),
        statement=at(both, {v: n}),
        steps=[
            step("first", at(both, {v: o}), arithmetic(
                "no try", use("no try", {t: u}), use("no try", {k: k - 1}))),
            step("all", at(both, {v: n}), induction("tries", "first", n, both, v, m, [
                step("at t", now, arithmetic(use("one more", {n: m}), "not first")),
                step("of one try", implies(chances, at_u <= at(one_more, {t: u, n: m})), arithmetic(
                    use("before", {t: u}))),
                step("of the others", implies(chances, at(one_more, {n: m}) <= at_u), arithmetic(
                    "before", use("before", {k: k - 1}))),
                step("next", at(both, {v: m}), arithmetic(
                    "at t", use("at t", {t: u}), use("at t", {k: k - 1}), "of one try",
                    "of the others", "before", use("before", {k: k - 1}))),
            ])),
        ],
    ),
    breaks=[edit("drop no try", "first"), edit("drop one more", "all"),
            edit("drop tries", "all")],
)
