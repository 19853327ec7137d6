"""(20), (21), (24), (25): the plan (25), which N37 derives, has the printed J and is optimal."""
from pfverify.proof.language import *

(a, b, x, z), (o, n) = indices("a b x z", "X"), member("o n", "X")  # the letters 0 and n: o, n
P, Q, rho = masses("P Q rho")
first, last, to_x, to_z = indicator(o - a), indicator(b - n), indicator(x - a), indicator(z - b)
mass = first * Q(b) + last * P(a) - first * last  # (25) in one line
F, G, J = total(P(a) * to_x, a), total(Q(b) * to_z, b), total(mass * to_x * to_z, a, b)
left, low = total(mass * to_x, a, b), total(mass * to_z, a, b)
m_25 = (implies(a == o and b != n, mass == Q(b)) and implies(a != o and b == n, mass == P(a))
        and implies(a == o and b == n, mass == P(a) + Q(b) - 1)
        and implies(a != o and b != n, mass == 0) and 0 <= mass)
rows, columns = total(mass, b) == P(a), total(mass, a) == Q(b)
m_24 = (implies(z != n, J == G and J == minimum(F, G))
        and at(J, {z: n}) == F and at(J == minimum(F, G), {z: n}))
more = rho(a, b) - mass
cheapest = 0 <= total(more * abs(a - b), a, b)

Claim(
    id="N38", source=paper("noise-reduction", "(20), (21), (24), (25)"), result=PROVED,
    words="If P(0) > 1 - Q(n), (25) is a plan of P and Q with the joint distribution function "
          "(24), which is min(F, G), and no plan rho of P and Q costs less",
    printed=proved(
        given={"letters": o <= a and a <= n, "(23)": implies(a == o and b == n, P(a) + Q(b) > 1),
               "sums": total(P(a), a) == 1 and total(Q(b), b) == 1,
               "rho": total(rho(a, b), b) == P(a) and total(rho(a, b), a) == Q(b)},
        example=instance(X=[0, 1, 2], o=0, n=2, P={0: 3/4, 1: 1/4}, Q={0: 1/4, 2: 3/4},
                         rho={(0, 2): 3/4, (1, 0): 1/4}),
        statement=m_25 and rows and columns and m_24 and cheapest,
        steps=[
            step("(25)", m_25, arithmetic("letters", use("letters", {a: b}), "(23)")),
            step("only o", implies(a != o, first == 0), arithmetic("letters")),
            step("one o", total(first, a) == 1, single("only o", a)),
            step("only n", implies(b != n, last == 0), arithmetic(use("letters", {a: b}))),
            step("one n", total(last, b) == 1, single("only n", b)),
            step("rows", rows, arithmetic("sums", "one n")),
            step("columns", columns, arithmetic("sums", "one o")),
            step("to x", mass * to_x * to_z <= mass * to_x, arithmetic("(25)")),
            step("J <= F", J <= left, integrate("to x", a, b)),
            step("to z", mass * to_x * to_z <= mass * to_z, arithmetic("(25)")),
            step("J <= G", J <= low, integrate("to z", a, b)),
            step("row 0 only", implies(z != n, mass * to_x * to_z == mass * to_z),
                 arithmetic("(25)", "letters", use("letters", {a: x}), use("letters", {a: z}))),
            step("z < n", implies(z != n, J == low), integrate("row 0 only", a, b)),
            step("every b", indicator(n - b) == 1, arithmetic(use("letters", {a: b}))),
            step("z = n", at(J, {z: n}) == left, integrate("every b", a, b, weight=mass * to_x)),
            step("F", left == F, integrate("rows", a, weight=to_x)),
            step("G", low == G, integrate("columns", b, weight=to_z)),
            step("(21), (24)", m_24, arithmetic("J <= F", "z < n", "z = n", "F", "G",
                                                use("J <= G", {z: n}), use("G", {z: n}))),
            step("same rows", total(more, b) == 0, arithmetic("rows", "rho")),
            step("same columns", total(more, a) == 0, arithmetic("columns", "rho")),
            step("cheapest", cheapest, theorem(
                "F10h", {"pi": maps(a, b, mass)}, "same rows", "same columns", "(25)", "letters",
                use("letters", {a: b}))),
            step("all", m_25 and rows and columns and m_24 and cheapest, arithmetic(
                "(25)", "rows", "columns", "(21), (24)", "cheapest")),
        ],
    ),
    breaks=[
        edit("drop (23)", "(25)", instance(X=[0, 1], o=0, n=1, P={1: 1}, Q={0: 1},
                                           rho={(1, 0): 1})),
    ],
)
