"""F62: m intervals hold together with probability at least `level`, whatever joins them.

The probability is that of the tables of counts that the records may give. Both ends of an interval
miss the chance with probability at most share/2 each (F62), share = (1 - level)/m.

Symbols:
level: the probability with which all intervals are to hold
share: the probability with which one interval may fail
x: a table of counts
j: an interval
W: masses of the tables
under: whether the interval is all above the chance, 1 or 0
over: whether the interval is all below the chance, 1 or 0
good: whether all intervals hold, 1 or 0
"""
from pfverify.proof.language import *

(level, share), x, j = constants("level share"), indices("x", "Tables"), indices("j", "Intervals")
W, under, over, good = masses("W under over good")
m, fails, all_hold = total(1, j), under(j, x) + over(j, x), total(W(x) * good(x), x)
half = total(W(x) * under(j, x), x) <= share / 2 and total(W(x) * over(j, x), x) <= share / 2

Claim(
    id="F62c", source=paper("design", "F62"), result=PROVED,
    words="If each end of each of m intervals misses with probability at most (1 - level)/(2 m), "
          "all intervals hold together with probability at least level, also where they depend on "
          "each other",
    printed=proved(
        given={"law": total(W(x), x) == 1, "ends": half, "share": m * share == 1 - level,
               "good": good(x) + total(fails, j) >= 1},
        example=instance(level=1/2, share=1/4, Tables=[0, 1, 2, 3, 4], Intervals=[0, 1],
                         W={0: 1/2, 1: 1/8, 2: 1/8, 3: 1/8, 4: 1/8}, good={0: 1},
                         under={(0, 1): 1, (1, 2): 1}, over={(0, 3): 1, (1, 4): 1}),
        statement=all_hold >= level,
        steps=[
            step("or fails", total(W(x) * (good(x) + total(fails, j)), x) >= total(W(x), x),
                 integrate("good", x, weight=W(x))),
            step("one", total(W(x) * fails, x) <= share, arithmetic("ends")),
            step("each", total(W(x) * fails, x, j) <= m * share, integrate("one", j)),
            step("all", all_hold >= level, arithmetic("or fails", "each", "law", "share")),
        ],
    ),
    breaks=[
        edit("drop ends", "one", instance(
            level=1/2, share=1/2, Tables=[0], Intervals=[0], W={0: 1}, good={}, under={(0, 0): 1},
            over={}), {j: 0}),
        edit("drop share", "all", instance(
            level=1, share=1/2, Tables=[0, 1], Intervals=[0], W={0: 3/4, 1: 1/4}, good={0: 1},
            under={(0, 1): 1}, over={})),
        edit("drop good", "or fails"), edit("drop law", "all"),
    ],
)
