"""Definition 2: the utility distance is a pseudometric, and a metric if u vanishes at x only."""
from pfverify.proof.language import *

(a, b, c), y = indices("a b c", "X"), indices("y", "Y")
e, same = member("e", "X"), member("same", "Y")  # same: e as a member of Y
u, d = functions("u d")
pseudometric = (d(a, b) >= 0 and d(a, a) == 0 and d(a, b) == d(b, a)
                and d(a, c) <= d(a, b) + d(b, c))
gap = abs(u(a, y) - u(c, y))
at_y = total(indicator(gap - d(a, c)), y)  # at how many y the gap is d(a, c)

Claim(
    id="D02", source=paper("distribution-privacy", "Definition 2"), result=PROVED,
    words="The largest difference of two utilities is a pseudometric; if X is part of Y and "
          "u(x, y) = 0 exactly when x = y, no two letters are at distance 0",
    printed=proved(
        given={"d is the largest": gap <= d(a, c), "attained": at_y >= 1,
               "u": iff(u(a, y) == 0, a == y), "X in Y": same == e},
        example=instance(X=[0, 1], Y=[0, 1, 2], e=1, same=1,
                         u={(0, 1): 1, (0, 2): 2, (1, 0): 1, (1, 2): 1, "else": 0},
                         d={(0, 1): 1, (1, 0): 1, "else": 0}),
        statement=pseudometric and implies(a != e, d(a, e) > 0),
        steps=[
            step("too long", implies(d(a, b) + d(b, c) < d(a, c) or d(c, a) < d(a, c), at_y == 0),
                 termwise(arithmetic(use("d is the largest", {c: b}), use(
                     "d is the largest", {a: b}), use("d is the largest", {a: c, c: a})), y)),
            step("short", d(a, c) <= d(a, b) + d(b, c) and d(a, c) <= d(c, a),
                 arithmetic("too long", "attained")),
            step("symmetric", d(a, b) == d(b, a),
                 arithmetic(use("short", {c: b}), use("short", {a: b, c: a}))),
            step("at least 0", d(a, b) >= 0, arithmetic(use("d is the largest", {c: b, y: same}))),
            step("nowhere", implies(0 < d(a, a), total(indicator(-d(a, a)), y) == 0),
                 termwise(arithmetic(), y)),
            step("zero", d(a, a) == 0,
                 arithmetic("nowhere", use("attained", {c: a}), use("at least 0", {b: a}))),
            step("apart", implies(a != e, d(a, e) > 0),
                 arithmetic(use("d is the largest", {c: e, y: same}), use("u", {y: same}),
                            use("u", {a: e, y: same}), "X in Y")),
        ],
    ),
    breaks=[
        edit("drop u", "apart", instance(X=[0, 1], Y=[0, 1], e=1, same=1, u={"else": 0},
                                         d={"else": 0})),
        edit("drop attained", "short", instance(
            X=[0, 1], Y=[0, 1, 2], e=1, same=1, d={(0, 0): 1, (0, 1): 1, (1, 0): 1, "else": 0},
            u={(0, 1): 1, (0, 2): 2, (1, 0): 1, (1, 2): 1, "else": 0})),
        edit("drop d is the largest", "too long", instance(
            X=[0, 1], Y=[0, 1], e=1, same=1, u={(0, 1): 1, (1, 0): 1, "else": 0}, d={"else": 0})),
    ],
)
