"""Figure 6: the longest step (17) from P_4 to Q_4, and the longest edge between the four's sums."""
from pfverify.proof.language import *
from settings.steps import *
from settings.table_2 import *

(s, t, i, l), (c, d, e) = indices("s t i l", "Sums"), member("c d e", "Sums")
j, (p_S, q_S, f) = indices("j", "Others"), masses("p_S q_S f")  # of the four, the other three
F_S, G_S = total(p_S(i) * indicator(u - i), i), total(q_S(i) * indicator(v - i), i)
edge = difference(difference(minimum(F_S, G_S), u, s), v, t)
steps_are, sums_are = whole_17 and largest and D(m) == 2, (
    p_S(s) == total(f(j) * P(s - j), j) and q_S(s) == total(f(j) * Q(s - j), j))
F_s, G_s = at(F_S, {u: s}), at(G_S, {v: s})
within_2 = F_s <= at(G_S, {v: s + 2}) and at(G_S, {v: s - 2}) <= F_s
letters, attained = is_chain([i, l], [c, e]), at(edge, {s: c, t: d}) > 0 and d == c + 2
far = implies(abs(s - t) >= 3, edge == 0)
as_F36 = {"X": "Sums", "P": p_S, "Q": q_S, "D": maps(s, 2), "M": 2, "x": s, "z": t, "a": i, "k": l,
          "o": c, "n": e}

Claim(
    id="M26", source=paper("multi-user", "Figure 6"), result=PROVED,
    words="The largest step (17) from P_4 to Q_4 of Table 3 is 2, and so is the longest edge of "
          "the plan (6) between the sums of the four users' reports",
    printed=proved(
        data=instance(X=reports, m=1, P=P_4, Q=Q_4, D={1: 2, 2: 1, 3: 1, 4: 2}, p_S=with_P_4,
                      q_S=with_Q_4, Others=sums, f=others, Sums=whole_numbers(4, 20),
                      c=4, d=6, e=20),
        statement=steps_are and sums_are and far and attained,
        steps=[step("steps", steps_are, finite()), step("sums", sums_are, finite()),
               step("letters", letters, finite()), step("within 2", within_2, finite()),
               step("far", far, theorem("F36", as_F36, "letters", "within 2")),
               step("attained", attained, finite())],
    ),
    tighter=proved(
        words="The least private scale at epsilon = 1 is between 1.0947 and 1.0948: (16) says 2",
        statement=verdict("1.0948", "certified") and verdict("1.0947", "refuted"),
        steps=[step("1.0948", verdict("1.0948", "certified"),
                    certificate(problem(with_P_4, with_Q_4, epsilon=1, scale=10948/10000))),
               step("1.0947", verdict("1.0947", "refuted"),
                    certificate(problem(with_P_4, with_Q_4, epsilon=1, scale=10947/10000)))],
    ),
    breaks=[
        edit("within_2 = F_s <= at(G_S, {v: s + 1})", "within 2"),
        edit("with_Q_4 = {5: 1}", "sums"),
    ],
)
