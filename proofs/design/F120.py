"""F120: bounds hold at their level for an event that was chosen on other draws.

The draws are in two halves that are independent of each other. On the first an event is chosen, in
whatever way; from the second bounds of its chances are worked out, which miss for no event more
often than the level says, as those of Clopper and Pearson do (F62). Several events are chosen in
several ways, each with an equal share of the level.

Symbols:
level: how often any bound of any event may miss
share: the part of it for one way to choose
h: what the first half of the draws may be
r: what the second half may be
j: a way to choose an event
W, V: masses of the first half, and of the second
miss: whether a bound misses that the second half gives for the event chosen on the first, 1 or 0
bad: whether one of them does, 1 or 0
"""
from pfverify.proof.language import *

(level, share), h, r = constants("level share"), indices("h", "First"), indices("r", "Second")
j, (W, V, miss, bad) = indices("j", "Ways"), masses("W V miss bad")
ways = total(1, j)
given_first = total(V(r) * miss(j, h, r), r)
together = total(W(h) * V(r) * bad(h, r), r, h)

Claim(
    id="F120", source=paper("design", "F120"), result=PROVED,
    words="If events are chosen on one half of the draws, and their bounds come from the other, "
          "which is independent of it, some bound misses with probability at most the level, "
          "however the events were chosen",
    printed=proved(
        given={"first": total(W(h), h) == 1, "each": given_first <= share,
               "share": ways * share == level,
               "some": bad(h, r) <= total(miss(j, h, r), j)},
        example=instance(level=1/2, share=1/4, First=[0, 1], Second=[0, 1, 2, 3], Ways=[0, 1],
                         W={0: 1/2, 1: 1/2}, V={0: 1/4, 1: 1/4, 2: 1/4, 3: 1/4},
                         miss={(0, 0, 0): 1, (0, 1, 1): 1, (1, 0, 2): 1, (1, 1, 0): 1},
                         bad={(0, 0): 1, (1, 1): 1, (0, 2): 1, (1, 0): 1}),
        statement=together <= level,
        steps=[
            step("one", total(V(r) * miss(j, h, r), r, j) <= ways * share, integrate("each", j)),
            step("some misses", total(V(r) * bad(h, r), r)
                 <= total(V(r) * total(miss(j, h, r), j), r),
                 integrate("some", r, weight=V(r))),
            step("given the first", total(V(r) * bad(h, r), r) <= level,
                 arithmetic("one", "some misses", "share")),
            step("together", together <= level * total(W(h), h),
                 integrate("given the first", h, weight=W(h))),
            step("all", together <= level, arithmetic("together", "first")),
        ],
    ),
    breaks=[
        edit("drop each", "one"), edit("drop share", "given the first"),
        edit("drop some", "some misses"), edit("drop first", "all"),
    ],
)
