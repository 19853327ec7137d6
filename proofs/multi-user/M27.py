"""Figure 7: the plan's longest edge has length 1, for two Bernoulli laws and any others.

In the figure p = 1/5, q = 9/10, and f is the law of the sum of the three users of Table 2; z is x'.
"""
from pfverify.proof.language import *
from settings.one_more_user import *

theta, E, y = positive("theta"), positive("E"), indices("y", "X")
longest = (pi(x, y) == 0 or abs(x - y) <= 1) and pi(w, z) > 0
apart = implies(r != x, abs(r - x) == 1 or abs(r - x) >= 2)  # whole numbers

Claim(
    id="M27", source=paper("multi-user", "Figure 7"), result=PROVED,
    words="With user 4 Bernoulli(0.2) or Bernoulli(0.9) the longest edge in the support of the "
          "plan (6) has length 1: so it is for all p < q and any whole reports of the others",
    printed=proved(
        given={
            "p < q": 0 <= p and p < q and q <= 1, "whole": apart,
            "(6)": at(plan_6, {z: y}), "w": w == z - 1 and f(w) > 0,
        },
        example=instance(X=[3, 4], w=3, z=4, p=1/5, q=9/10, f={3: 1},
                         pi={(3, 3): 1/10, (3, 4): 7/10, (4, 4): 1/5}),
        statement=longest,
        steps=[
            step("M33", implies(p < q, implies(y <= x - 1 or x + 2 <= y, at(entry, {z: y}) == 0)),
                 theorem("M33", {"x": x, "z": y}, "p < q")),
            step("masses", pi(w, z) == (q - p) * f(w), theorem(
                "M34", {}, "p < q", "w", "whole", use("(6)", {y: z}))),
            step("where", pi(x, y) == 0 or abs(x - y) <= 1, arithmetic(
                "M33", "(6)", "p < q", use("whole", {r: y}))),
            step("longest", longest, arithmetic("where", "masses", "w", "p < q")),
        ],
    ),
    breaks=[
        edit("drop w", "masses"),
        edit("drop (6)", "masses"),
    ],
)
