"""(20), (21), (24), (25): the plan (25), which N37 derives, has the printed J and is optimal."""
from pfverify.proof.language import *

u, v = variables("u v")
(a, b), (o, n) = indices("a b", "X"), member("o n", "X")  # the letters 0 and n: o, n
P, Q, rho = masses("P Q rho")
first, last, low, left = (indicator(-abs(a - o)), indicator(-abs(b - n)), indicator(u - a),
                          indicator(v - b))
mass = first * Q(b) + last * P(a) - first * last  # (25) in one line
F, G, J = total(P(a) * low, a), total(Q(b) * left, b), total(mass * low * left, a, b)
m_25 = (implies(a == o and b != n, mass == Q(b)) and implies(a != o and b == n, mass == P(a))
        and implies(a == o and b == n, mass == P(a) + Q(b) - 1)
        and implies(a != o and b != n, mass == 0) and 0 <= mass)
marginals = total(mass, b) == P(a) and total(mass, a) == Q(b)
m_24 = implies(o <= u and v < n, J == G) and implies(n <= v, J == F) and J == minimum(F, G)
cheapest = 0 <= total((rho(a, b) - mass) * abs(a - b), a, b)

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
        statement=m_25 and marginals and m_24 and cheapest,
        steps=[
            step("(25)", m_25, arithmetic("(23)")),
            step("plan", marginals and m_24, theorem(
                "F25", {}, "letters", "sums", use("(23)", {a: o, b: n}))),
            step("cheapest", cheapest, theorem(
                "F10h", {"pi": maps(a, b, mass)}, "plan", "rho", "(25)", "letters",
                use("letters", {a: b}))),
        ],
    ),
    breaks=[
        edit("drop (23)", "(25)", instance(X=[0, 1], o=0, n=1, P={1: 1}, Q={0: 1},
                                           rho={(1, 0): 1})),
        edit("drop rho", "cheapest", instance(X=[0, 1], o=0, n=1, P={0: 3/4, 1: 1/4}, Q={1: 1},
                                              rho={(0, 0): 1})),
        edit("drop letters", "plan", instance(
            X=[0, 1], o=1, n=1, P={0: 1/4, 1: 3/4}, Q={0: 1/4, 1: 3/4},
            rho={(0, 0): 1/4, (1, 1): 3/4}), {u: 0, v: 0}),
    ],
)
