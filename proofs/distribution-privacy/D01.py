"""Definitions 1, 3, 4, 8 and 9: what holds for all events holds for the worst one.

E is e^epsilon (Definitions 1 and 8) or e^(epsilon d), d the distance of the pair (4 and 9).

Symbols:
E: e^epsilon, or e^(epsilon d) for a pair at the distance d
"""
from pfverify.proof.language import *
from settings.channels import *

(utility, d), t = functions("utility d"), variables("t")
gap = abs(utility(x, y) - utility(z, y))
above = total(1 - indicator(t - gap), y)  # at how many y the gap is larger than t

Claim(
    id="D01", source=paper("distribution-privacy", "Definition 8"), result=PROVED,
    words="All events keep (epsilon, delta) for two distributions (of single inputs: D13) if and "
          "only if the sum of the positive parts of p - e^epsilon q is at most delta",
    printed=proved(
        given={"event": B(y) <= 1, "A": channel, "laws": laws}, example=swap,
        statement=(p_B - E * q_B <= excess and total((p - E * q) * worst, y) == excess
                   and total(p, y) == 1),
        steps=[
            step("every event", p_B - E * q_B <= excess, termwise(arithmetic("event"), y)),
            step("worst", total((p - E * q) * worst, y) == excess, termwise(arithmetic(), y)),
            step("A#", total(p, y) == total(P(x), x), integrate("A", x, weight=P(x))),
            step("law", total(p, y) == 1, arithmetic("A#", "laws")),
        ],
    ),
    tighter=proved(
        words="Definition 3: a number bounds the utility distance d(x, z) if and only if it bounds "
              "all differences of utilities, so the two maxima over Phi are the same",
        given={"d": gap <= d(x, z), "attained": total(indicator(gap - d(x, z)), y) >= 1},
        example=instance(X=[0, 1], Y=[0, 1], utility={(0, 0): 1, "else": 0},
                         d={(0, 1): 1, (1, 0): 1, "else": 0}),
        statement=implies(d(x, z) <= t, gap <= t) and implies(t < d(x, z), above >= 1),
        steps=[
            step("bound", implies(d(x, z) <= t, gap <= t), arithmetic("d")),
            step("here", implies(t < d(x, z), total(indicator(gap - d(x, z)), y) <= above),
                 termwise(arithmetic(), y)),
            step("not less", implies(t < d(x, z), above >= 1), arithmetic("here", "attained")),
        ],
    ),
    breaks=[
        edit("drop event", "every event", instance(
            E=2, X=[0, 1], Y=[0, 1], A=response, B={0: 5}, P={0: 1}, Q={1: 1})),
        edit("worst = indicator(E * q - p)", "worst"),
        edit("drop attained", "not less", instance(
            E=3, X=[0, 1], Y=[0, 1], A=response, P={0: 1}, Q={1: 1}, utility={"else": 0},
            d={"else": 1}), {t: 0}),
    ],
    meaning=[E >= 1, channel, laws],
)
