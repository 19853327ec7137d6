"""Proposition 5.1 (1): the plan reaches from 0 to n exactly when P(0) > 1 - Q(n)."""
from pfverify.proof.language import *

u, v = variables("u v")
k, x, z = indices("k x z", "X")
o, n = member("o n", "X")  # the letters 0 and n
P, Q = masses("P Q")
F, G = total(P(k) * indicator(u - k), k), total(Q(k) * indicator(v - k), k)
J = minimum(F, G)
corner = (at(J, {u: o, v: n}) - at(J, {u: o - 1, v: n})
          - at(J, {u: o, v: n - 1}) + at(J, {u: o - 1, v: n - 1}))
worst = iff(P(o) > 1 - Q(n), corner > 0) and abs(x - z) <= abs(o - n)

Claim(
    id="N36", source=paper("noise-reduction", "Proposition 5.1 (1)"), result=PROVED,
    words="If P(0) > 1 - Q(n), and only then, the monotone plan has mass on the pair (0, n), the "
          "most distant pair of letters",
    printed=proved(
        given={
            "alphabet": o <= k and k <= n and implies(k != n, k <= n - 1),
            "P sums to 1": total(P(k), k) == 1, "Q sums to 1": total(Q(k), k) == 1,
        },
        example=instance(X=[0, 1, 2], o=0, n=2, P={0: 3/4, 1: 1/4}, Q={0: 1/4, 2: 3/4}),
        statement=worst,
        steps=[
            step("up to 0", implies(k != o, indicator(o - k) == 0), arithmetic("alphabet")),
            step("F(0)", at(F, {u: o}) == P(o), single("up to 0", k, weight=P(k))),
            step("below 0", indicator(o - 1 - k) == 0, arithmetic("alphabet")),
            step("F(-1)", at(F, {u: o - 1}) == 0, integrate("below 0", k, weight=P(k))),
            step("up to n", indicator(n - k) == 1, arithmetic("alphabet")),
            step("G(n)", at(G, {v: n}) == total(Q(k), k), integrate("up to n", k, weight=Q(k))),
            step("from n", implies(k != n, 1 - indicator(n - 1 - k) == 0), arithmetic("alphabet")),
            step("G(n-1)", total(Q(k), k) - at(G, {v: n - 1}) == Q(n),
                 single("from n", k, weight=Q(k))),
            step("a mass", 0 <= Q(k) * indicator(v - k), arithmetic()),
            step("G >= 0", 0 <= G, integrate("a mass", k)),
            step("a part", P(k) * indicator(u - k) <= P(k), arithmetic()),
            step("F <= 1", F <= total(P(k), k), integrate("a part", k)),
            step("corner", corner == P(o) - minimum(P(o), 1 - Q(n)),
                 arithmetic("F(0)", "F(-1)", "G(n)", "G(n-1)", "P sums to 1", "Q sums to 1",
                            use("F <= 1", {u: o}), use("G >= 0", {v: n}),
                            use("G >= 0", {v: n - 1}))),
            step("worst case", worst, arithmetic("corner", use("alphabet", {k: x}),
                                                 use("alphabet", {k: z}))),
        ],
    ),
)
