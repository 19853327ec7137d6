"""Proposition 5.1 (2): the printed plan belongs to the worst cases with P(0) > 1 - Q(n) only."""
from pfverify.proof.language import *

(u, v), (k, x, z) = variables("u v"), indices("k x z", "X")
o, n = member("o n", "X")  # the letters 0 and n
P, Q = masses("P Q")
F, G = total(P(k) * indicator(u - k), k), total(Q(k) * indicator(v - k), k)
J = minimum(F, G)
entry = difference(difference(J, u, x), v, z)
row_0, column_n, corner = at(entry, {x: o}), at(entry, {z: n}), at(entry, {x: o, z: n})
form = (implies(z != n, row_0 == Q(z)) and implies(x != o, column_n == P(x))
        and corner == P(o) + Q(n) - 1 and implies(x != o and z != n, entry == 0))
alphabet = o <= k and k <= n and implies(k != x, abs(k - x) >= 1)
sums = total(P(k), k) == 1 and total(Q(k), k) == 1

Claim(
    id="N37", source=paper("noise-reduction", "Proposition 5.1 (2)"), result=REPAIRED,
    words="In the worst case the plan is Q in row 0 and P in column n, and 0 elsewhere",
    printed=refuted(
        given={"alphabet": alphabet, "sums": sums,
               "worst": corner != 0 or at(entry, {x: n, z: o}) != 0}, statement=form,
        instance=instance(X=[0, 1], o=0, n=1, P={0: 1/4, 1: 3/4}, Q={0: 3/4, 1: 1/4}),
    ),
    corrected=proved(
        words="The same if P(0) > 1 - Q(n)",
        given={"alphabet": alphabet, "sums": sums, "(23)": P(o) > 1 - Q(n)},
        example=instance(X=[0, 1, 2], o=0, n=2, P={0: 3/4, 1: 1/4}, Q={0: 1/4, 2: 3/4}),
        statement=form,
        steps=[
            step("P", implies(u <= v, F <= at(F, {u: v})) and difference(F, u, x) == P(x),
                 theorem("F13", {"h": 1}, "alphabet")),
            step("Q", implies(u <= v, at(G, {v: u}) <= G) and difference(G, v, z) == Q(z),
                 theorem("F13", {"h": 1, "P": Q, "x": z}, use("alphabet", {x: z}))),
            step("ends of F", F <= total(P(k), k) and at(F, {u: o - 1}) == 0 and at(
                F, {u: o}) == P(o), theorem("F13b", {"h": 1}, use("alphabet", {x: n}))),
            step("ends of G", 0 <= G and at(G, {v: n - 1}) == total(Q(k), k) - Q(n) and at(
                G, {v: n}) == total(Q(k), k), theorem(
                    "F13b", {"h": 1, "P": Q, "u": v}, use("alphabet", {x: n}))),
            step("below n", implies(o <= u and v <= n - 1, J == G), arithmetic(
                "(23)", "sums", "ends of F", "ends of G", use("P", {u: o, v: u}),
                use("Q", {u: v, v: n - 1}))),
            step("at n", at(J, {v: n}) == F and at(J, {u: o - 1}) == 0,
                 arithmetic("sums", "ends of F", "ends of G", use("ends of G", {v: n}))),
            step("row 0", implies(z != n, row_0 == Q(z)), arithmetic(
                use("below n", {u: o, v: z}), use("below n", {u: o, v: z - 1}), "Q",
                use("at n", {v: z}), use("at n", {v: z - 1}), use("alphabet", {k: z, x: n}))),
            step("column n", implies(x != o, column_n == P(x)), arithmetic(
                use("below n", {u: x, v: n - 1}), use("below n", {u: x - 1, v: n - 1}), "P",
                use("at n", {u: x}), use("at n", {u: x - 1}), use("alphabet", {k: x, x: o}))),
            step("corner", corner == P(o) + Q(n) - 1, arithmetic(
                use("below n", {u: o, v: n - 1}), use("at n", {u: o, v: n - 1}),
                use("at n", {u: o - 1}), "sums", "ends of F", "ends of G")),
            step("else", implies(x != o and z != n, entry == 0), arithmetic(
                use("below n", {u: x, v: z}), use("below n", {u: x - 1, v: z}),
                use("below n", {u: x, v: z - 1}), use("below n", {u: x - 1, v: z - 1}),
                use("alphabet", {k: x, x: o}), use("alphabet", {k: z, x: n}))),
        ],
    ),
    breaks=[
        edit("drop (23)", "below n",
             instance(X=[0, 1], o=0, n=1, P={0: 1/4, 1: 3/4}, Q={0: 3/4, 1: 1/4})),
    ],
)
