"""(20), (21), (24), (25): the plan (25), which N37 derives, has the printed J and is optimal."""
from pfverify.proof.language import *

a, b, x, z = indices("a b x z", "X")
o, n = member("o n", "X")  # the letters 0 and n
P, Q, pi, rho = masses("P Q pi rho")
mass, to_x, to_z = pi(a, b), indicator(x - a), indicator(z - b)
F, G, J = total(P(a) * to_x, a), total(Q(b) * to_z, b), total(mass * to_x * to_z, a, b)
left, low = total(mass * to_x, a, b), total(mass * to_z, a, b)
m_25 = (implies(b != n, pi(o, b) == Q(b)) and implies(a != o, pi(a, n) == P(a))
        and pi(o, n) == P(o) + Q(n) - 1 and implies(a != o and b != n, mass == 0))
m_24 = (implies(z != n, J == G and J == minimum(F, G))
        and at(J, {z: n}) == F and at(J == minimum(F, G), {z: n}))
more = rho(a, b) - pi(a, b)

Claim(
    id="N38", source=paper("noise-reduction", "(20), (21), (24), (25)"), result=PROVED,
    words="The plan in (25) has the joint distribution function (24), which is min(F, G), and no "
          "plan with the same two priors costs less",
    printed=proved(
        given={
            "letters": o <= a and a <= n, "(25)": m_25,
            "rows": total(mass, b) == P(a), "columns": total(mass, a) == Q(b),
            "rows of rho": total(more, b) == 0, "columns of rho": total(more, a) == 0,
        },
        example=instance(X=[0, 1, 2], o=0, n=2, P={0: 3/4, 1: 1/4}, Q={0: 1/4, 2: 3/4},
                         pi={(0, 0): 1/4, (0, 2): 1/2, (1, 2): 1/4},
                         rho={(0, 2): 3/4, (1, 0): 1/4}),
        statement=m_24 and 0 <= total(more * abs(a - b), a, b),
        steps=[
            step("to x", mass * to_x * to_z <= mass * to_x, arithmetic()),
            step("J <= left", J <= left, integrate("to x", a, b)),
            step("to z", mass * to_x * to_z <= mass * to_z, arithmetic()),
            step("J <= low", J <= low, integrate("to z", a, b)),
            step("row 0 only", implies(z != n, mass * to_x * to_z == mass * to_z),
                 arithmetic("(25)", "letters", use("letters", {a: x}), use("letters", {a: z}))),
            step("z < n", implies(z != n, J == low), integrate("row 0 only", a, b)),
            step("every b", indicator(n - b) == 1, arithmetic(use("letters", {a: b}))),
            step("z = n", at(J, {z: n}) == left, integrate("every b", a, b, weight=mass * to_x)),
            step("F", left == F, integrate("rows", a, weight=to_x)),
            step("G", low == G, integrate("columns", b, weight=to_z)),
            step("(21), (24)", m_24, arithmetic("J <= left", "z < n", "z = n", "F", "G",
                                                use("J <= low", {z: n}), use("G", {z: n}))),
            step("rightwards", more * (b - a) <= more * abs(a - b),
                 arithmetic("(25)", "letters", use("letters", {a: b}))),
            step("cost", total(more * (b - a), a, b) <= total(more * abs(a - b), a, b),
                 integrate("rightwards", a, b)),
            step("mean row", total(more * a, a, b) == 0, integrate("rows of rho", a, weight=a)),
            step("mean column", total(more * b, a, b) == 0,
                 integrate("columns of rho", b, weight=b)),
            step("optimal", m_24 and 0 <= total(more * abs(a - b), a, b),
                 arithmetic("(21), (24)", "cost", "mean row", "mean column")),
        ],
    ),
)
