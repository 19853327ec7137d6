"""F10: along the letters, min(c, G) - min(d, G) rises from 0 to c - d."""
from pfverify.proof.language import *

h, v = positive("h"), variables("v")
(i, a, k), (o, n) = indices("i a k", "X"), member("o n", "X")
c, d = constants("c d")
Q = masses("Q")
G, whole = total(Q(a) * indicator(v - a), a), total(Q(a), a)
gap = minimum(c, G) - minimum(d, G)
rise = total(difference(gap, v, i, h), i)

Claim(
    id="F10j", source=paper("design", "F10"), result=PROVED,
    words="For the distribution function G of Q on the letters o, o + h, ..., n and numbers c and "
          "d from 0 to the total of Q, the differences of min(c, G) - min(d, G) add up to c - d",
    printed=proved(
        given={"letters": is_chain([a, k], [o, n], h),
               "c, d": 0 <= c and c <= whole and 0 <= d and d <= whole},
        example=instance(h=1, X=[0, 1, 2], o=0, n=2, c=3/4, d=1/2, Q={0: 1/4, 2: 3/4}),
        statement=rise == c - d,
        steps=[
            step("ends", at(G, {v: o - h}) == 0 and at(G, {v: n}) == whole, theorem(
                "F13b", {"k": a, "P": Q, "u": v}, use("letters", {a: n, k: a}))),
            step("sum", rise == at(gap, {v: n}) - at(gap, {v: o - h}),
                 theorem("F10a", {"f": maps(v, gap)}, "letters")),
            step("all", rise == c - d, arithmetic("ends", "sum", "c, d")),
        ],
    ),
    breaks=[
        edit("drop c, d", "all", instance(h=1, X=[0], o=0, n=0, c=2, d=0, Q={0: 1})),
        edit("drop letters", "ends", instance(h=1, X=[0, 1], o=0, n=0, c=1, d=0, Q={0: 0, 1: 1})),
    ],
)
