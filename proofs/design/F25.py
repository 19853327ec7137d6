"""F25: the plan that fills the row of the first letter and the column of the last one."""
from pfverify.proof.language import *

(u, v), (a, b, z) = variables("u v"), indices("a b z", "X")
(o, n), (P, Q) = member("o n", "X"), masses("P Q")  # o and n: the first and the last letter
first, last, here = indicator(-abs(a - o)), indicator(-abs(b - n)), indicator(-abs(a - z))
mass, low, left = first * Q(b) + last * P(a) - first * last, indicator(u - a), indicator(v - b)
F, G, J = total(P(a) * low, a), total(Q(b) * left, b), total(mass * low * left, a, b)
marginals = total(mass, b) == P(a) and total(mass, a) == Q(b)
joint = implies(o <= u and v < n, J == G) and implies(n <= v, J == F) and J == minimum(F, G)

Claim(
    id="F25", source=paper("design", "F25"), result=PROVED,
    words="If P(o) + Q(n) > 1, then Q in row o, P in column n and P(o) + Q(n) - 1 where they cross "
          "is a plan of P and Q, with the distribution function min(F, G)",
    printed=proved(
        given={"letters": o <= a and a <= n, "corner": P(o) > 1 - Q(n),
               "sums": total(P(a), a) == 1 and total(Q(b), b) == 1},
        example=instance(X=[0, 1, 2], o=0, n=2, P={0: 3/4, 1: 1/4}, Q={0: 1/4, 2: 3/4}),
        statement=0 <= mass and marginals and joint,
        steps=[
            step("P", here * P(a) == here * P(z), theorem("F26", {"x": a, "f": maps(a, z, P(a))})),
            step("Q", here * Q(a) == here * Q(z), theorem("F26", {"x": a, "f": maps(a, z, Q(a))})),
            step("a mass", 0 <= mass,
                 arithmetic("corner", use("P", {z: o}), use("Q", {a: b, z: n}))),
            step("one", total(here, a) == 1, theorem("F26", {"f": maps(a, z, 1)})),
            step("marginals", marginals,
                 arithmetic("sums", use("one", {z: o}), use("one", {z: n}))),
            step("up to u", total(here * low, a) == at(low, {a: z}),
                 theorem("F26", {"f": maps(a, z, low)})),
            step("F", P(o) * indicator(u - o) <= F <= total(P(a), a) * indicator(u - o),
                 theorem("F27", {"k": a}, "letters")),
            step("G", total(Q(b), b) * indicator(v - n) <= G
                 and G <= total(Q(b), b) - Q(n) * (1 - indicator(v - n)),
                 theorem("F27", {"k": a, "u": v, "P": Q}, "letters")),
            step("joint", joint, arithmetic("corner", "sums", "F", "G", use("up to u", {z: o}),
                                            use("up to u", {z: n, u: v}))),
        ],
    ),
    breaks=[
        edit("drop corner", "a mass",
             instance(X=[0, 1], o=0, n=1, P={0: 1/4, 1: 3/4}, Q={0: 3/4, 1: 1/4})),
        edit("drop letters", "F", instance(X=[0, 1], o=1, n=1, P={0: 1/4, 1: 3/4}, Q={1: 1}),
             {u: 0, v: 0}),
    ],
)
