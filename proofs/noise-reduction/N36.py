"""Proposition 5.1 (1): the plan reaches from 0 to n exactly when P(0) > 1 - Q(n)."""
from pfverify.proof.language import *

u, v = variables("u v")
k, x, z = indices("k x z", "X")
o, n = member("o n", "X")  # the letters 0 and n
P, Q = masses("P Q")
F, G = total(P(k) * indicator(u - k), k), total(Q(k) * indicator(v - k), k)
J, whole = minimum(F, G), total(P(k), k)
corner = difference(difference(J, u, o), v, n)
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
            step("P", 0 <= F and F <= whole and at(F, {u: o - 1}) == 0 and at(F, {u: o}) == P(o),
                 theorem("F13b", {"h": 1}, "alphabet")),
            step("Q", 0 <= G and at(G, {v: n - 1}) == total(Q(k), k) - Q(n)
                 and at(G, {v: n}) == total(Q(k), k), theorem(
                     "F13b", {"P": Q, "h": 1, "u": v}, "alphabet")),
            step("corner", corner == P(o) - minimum(P(o), 1 - Q(n)),
                 arithmetic("P sums to 1", "Q sums to 1", use("P", {u: o}), use("Q", {v: n}),
                            use("Q", {v: n - 1}))),
            step("worst case", worst, arithmetic("corner", use("alphabet", {k: x}),
                                                 use("alphabet", {k: z}))),
        ],
    ),
    breaks=[
        edit("alphabet = o <= k and k <= n and implies(k != n, k <= n - 1/2)", "P", instance(
            X=[0, 1/2, 1], o=0, n=1, P={0: 1/2, 1: 1/2}, Q={1/2: 1})),
    ],
)
