"""Proposition 5.1 (2): the printed plan belongs to the worst cases with P(0) > 1 - Q(n) only."""
from pfverify.proof.language import *

u, v = variables("u v")
k, x, z = indices("k x z", "X")
o, n = member("o n", "X")  # the letters 0 and n
P, Q = masses("P Q")
F, G = total(P(k) * indicator(u - k), k), total(Q(k) * indicator(v - k), k)
J = minimum(F, G)
entry = (at(J, {u: x, v: z}) - at(J, {u: x - 1, v: z})
         - at(J, {u: x, v: z - 1}) + at(J, {u: x - 1, v: z - 1}))
row_0, column_n, corner = at(entry, {x: o}), at(entry, {z: n}), at(entry, {x: o, z: n})
other_corner = at(entry, {x: n, z: o})
form = (implies(z != n, row_0 == Q(z)) and implies(x != o, column_n == P(x))
        and corner == P(o) + Q(n) - 1 and implies(x != o and z != n, entry == 0))
alphabet = o <= k and k <= n and implies(k != x, abs(k - x) >= 1)
sums = total(P(k), k) == 1 and total(Q(k), k) == 1

Claim(
    id="N37", source=paper("noise-reduction", "Proposition 5.1 (2)"), result=REPAIRED,
    words="In the worst case the plan is Q in row 0 and P in column n, and 0 elsewhere",
    printed=refuted(
        given={"alphabet": alphabet, "sums": sums, "worst": corner != 0 or other_corner != 0},
        statement=form,
        instance=instance(X=[0, 1], o=0, n=1, P={0: 1/4, 1: 3/4}, Q={0: 3/4, 1: 1/4}),
    ),
    corrected=proved(
        words="The same if P(0) > 1 - Q(n)",
        given={"alphabet": alphabet, "sums": sums, "(23)": P(o) > 1 - Q(n)},
        example=instance(X=[0, 1, 2], o=0, n=2, P={0: 3/4, 1: 1/4}, Q={0: 1/4, 2: 3/4}),
        statement=form,
        steps=[
            step("rise", implies(k != x, indicator(x - k) - indicator(x - 1 - k) == 0),
                 arithmetic("alphabet")),
            step("P", at(F, {u: x}) - at(F, {u: x - 1}) == P(x), single("rise", k, weight=P(k))),
            step("Q", at(G, {v: x}) - at(G, {v: x - 1}) == Q(x), single("rise", k, weight=Q(k))),
            step("below 0", indicator(o - 1 - k) == 0, arithmetic("alphabet")),
            step("F(-1)", at(F, {u: o - 1}) == 0, integrate("below 0", k, weight=P(k))),
            step("up to n", indicator(n - k) == 1, arithmetic("alphabet")),
            step("G(n)", at(G, {v: n}) == total(Q(k), k), integrate("up to n", k, weight=Q(k))),
            step("F(n)", at(F, {u: n}) == total(P(k), k), integrate("up to n", k, weight=P(k))),
            step("more", implies(u <= v, indicator(u - k) <= indicator(v - k)), arithmetic()),
            step("F up", implies(u <= v, F <= at(F, {u: v})), integrate("more", k, weight=P(k))),
            step("G up", implies(u <= v, at(G, {v: u}) <= G), integrate("more", k, weight=Q(k))),
            step("a mass", 0 <= Q(k) * indicator(v - k), arithmetic()),
            step("G>=0", 0 <= G, integrate("a mass", k)),
            step("form", form, arithmetic(
                "(23)", "sums", "F(-1)", "F(n)", "G(n)", "P", use("P", {x: o}), use("Q", {x: z}),
                use("Q", {x: n}), use("alphabet", {k: z, x: n}), use("alphabet", {k: x, x: o}),
                use("F up", {u: o, v: x - 1}), use("F up", {u: o, v: n}),
                use("F up", {u: x, v: n}), use("G up", {u: z, v: n - 1}),
                use("G up", {u: z - 1, v: n - 1}), use("G>=0", {v: z}), use("G>=0", {v: z - 1}))),
        ],
    ),
)
