"""Definition 2: the utility distance is a pseudometric, and a metric if u vanishes at x only."""
from pfverify.proof.language import *

a, b, c = indices("a b c", "X")
y = indices("y", "Y")
e = member("e", "X")
same = member("same", "Y")  # e as a member of Y
u, d = functions("u d")
pseudometric = (d(a, b) >= 0 and d(a, a) == 0 and d(a, b) == d(b, a)
                and d(a, c) <= d(a, b) + d(b, c))
gap = abs(u(a, y) - u(c, y))
too_long = d(a, b) + d(b, c) < d(a, c) or d(c, a) < d(a, c)

Claim(
    id="D02", source=paper("distribution-privacy", "Definition 2"), result=PROVED,
    words="The largest difference of two utilities is a pseudometric; if X is part of Y and "
          "u(x, y) = 0 exactly when x = y, no two letters are at distance 0",
    printed=proved(
        given={
            "d is the largest": gap <= d(a, c),
            "attained": total(indicator(gap - d(a, c)), y) >= 1,
            "u": iff(u(a, y) == 0, a == y), "X in Y": same == e,
        },
        example=instance(X=[0, 1], Y=[0, 1, 2], e=1, same=1,
                         u={(0, 1): 1, (0, 2): 2, (1, 0): 1, (1, 2): 1, "else": 0},
                         d={(0, 1): 1, (1, 0): 1, "else": 0}),
        statement=pseudometric and implies(a != e, d(a, e) > 0),
        steps=[
            step("below", implies(too_long, indicator(gap - d(a, c)) == 0),
                 arithmetic(use("d is the largest", {c: b}), use("d is the largest", {a: b}),
                            use("d is the largest", {a: c, c: a}))),
            step("nowhere", implies(too_long, total(indicator(gap - d(a, c)), y) == 0),
                 integrate("below", y)),
            step("below a", implies(0 < d(a, a), indicator(-d(a, a)) == 0), arithmetic()),
            step("nowhere a", implies(0 < d(a, a), total(indicator(-d(a, a)), y) == 0),
                 integrate("below a", y)),
            step("apart", implies(a != e, d(a, e) > 0),
                 arithmetic(use("d is the largest", {c: e, y: same}), use("u", {y: same}),
                            use("u", {a: e, y: same}), "X in Y")),
            step("metric", pseudometric and implies(a != e, d(a, e) > 0),
                 arithmetic("nowhere", "attained", "nowhere a", use("attained", {c: a}), "apart",
                            use("nowhere", {c: b, b: a}), use("nowhere", {a: b, c: a, b: a}),
                            use("attained", {c: b}), use("attained", {a: b, c: a}),
                            use("d is the largest", {c: b, y: same}),
                            use("d is the largest", {c: a, y: same}))),
        ],
    ),
    breaks=[
        edit("drop u", "apart", instance(X=[0, 1], Y=[0, 1], e=1, same=1, u={"else": 0},
                                         d={"else": 0})),
        edit("drop attained", "metric", instance(
            X=[0, 1], Y=[0, 1, 2], e=1, same=1, d={(0, 0): 1, (0, 1): 1, (1, 0): 1, "else": 0},
            u={(0, 1): 1, (0, 2): 2, (1, 0): 1, (1, 2): 1, "else": 0})),
        edit("drop d is the largest", "below", instance(
            X=[0, 1], Y=[0, 1], e=1, same=1, u={(0, 1): 1, (1, 0): 1, "else": 0}, d={"else": 0})),
    ],
)
