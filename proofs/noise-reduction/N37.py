"""Proposition 5.1 (2): the printed plan belongs to the worst cases with P(0) > 1 - Q(n) only."""
from pfverify.proof.language import *

(u, v), (k, x, z, a, b) = variables("u v"), indices("k x z a b", "X")
(o, n), (P, Q) = member("o n", "X"), masses("P Q")  # the letters 0 and n: o, n
F, G = total(P(k) * indicator(u - k), k), total(Q(k) * indicator(v - k), k)
entry = difference(difference(minimum(F, G), u, x), v, z)
row_0, column_n, corner = at(entry, {x: o}), at(entry, {z: n}), at(entry, {x: o, z: n})
form = (implies(z != n, row_0 == Q(z)) and implies(x != o, column_n == P(x))
        and corner == P(o) + Q(n) - 1 and implies(x != o and z != n, entry == 0))
alphabet = o <= k and k <= n and implies(k != x, abs(k - x) >= 1)
sums = total(P(k), k) == 1 and total(Q(k), k) == 1
first, last = indicator(-abs(a - o)), indicator(-abs(b - n))
m_25 = first * Q(b) + last * P(a) - first * last
J = total(m_25 * indicator(u - a) * indicator(v - b), a, b)

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
        given={"alphabet": alphabet, "sums": sums, "(23)": P(o) > 1 - Q(n)}, statement=form,
        example=instance(X=[0, 1, 2], o=0, n=2, P={0: 3/4, 1: 1/4}, Q={0: 1/4, 2: 3/4}),
        steps=[
            step("J", 0 <= m_25 and J == minimum(F, G), theorem(
                "F25", {}, "(23)", "sums", use("alphabet", {k: a, x: n}))),
            step("(22)", at(m_25, {a: x, b: z}) == difference(difference(J, u, x), v, z), theorem(
                "N39", {"pi": maps(a, b, m_25)}, use("alphabet", {k: a}), "J", part="corrected")),
            step("(25)", at(m_25, {a: x, b: z}) == entry, arithmetic(
                "(22)", use("J", {u: x, v: z}), use("J", {u: x - 1, v: z}),
                use("J", {u: x, v: z - 1}), use("J", {u: x - 1, v: z - 1}))),
            step("form", form, arithmetic("(25)", use("(25)", {x: o}), use("(25)", {z: n}),
                                          use("(25)", {x: o, z: n}))),
        ],
    ),
    breaks=[
        edit("drop (23)", "J", instance(
            X=[0, 1], o=0, n=1, P={0: 1/4, 1: 3/4}, Q={0: 3/4, 1: 1/4})),
        edit("alphabet = o <= k and k <= n and implies(k != x, abs(k - x) > 0)", "(22)", instance(
            X=[0, 1/2, 1], o=0, n=1, P={0: 3/4, 1/2: 1/4}, Q={1/2: 1/4, 1: 3/4})),
    ],
)
