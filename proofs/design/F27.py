"""F27: what the first and the last letter say about a distribution function."""
from pfverify.proof.language import *

u, k, (o, n) = variables("u"), indices("k", "X"), member("o n", "X")  # the first and the last: o, n
P = masses("P")
below, from_o, from_n = indicator(u - k), indicator(u - o), indicator(u - n)
H, whole = total(P(k) * below, k), total(P(k), k)

Claim(
    id="F27", source=paper("design", "F27"), result=PROVED,
    words="The distribution function of P is 0 before the first letter and P(o) or more from it "
          "on, the total from the last letter on and at least P(n) less before it",
    printed=proved(
        given={"letters": o <= k and k <= n},
        example=instance(X=[0, 1, 3], o=0, n=3, P={0: 1/2, 3: 1/2}),
        statement=P(o) * from_o <= H <= whole * from_o
                  and whole * from_n <= H <= whole - P(n) * (1 - from_n),
        steps=[
            step("mass up to u", 0 <= P(k) * below, arithmetic()),
            step("first", P(o) * from_o <= H, one_term("mass up to u", {k: o})),
            step("from o", H <= whole * from_o, termwise(arithmetic("letters"), k)),
            step("mass after u", 0 <= P(k) * (1 - below), arithmetic()),
            step("last", P(n) * (1 - from_n) <= whole - H, one_term("mass after u", {k: n})),
            step("up to n", whole * from_n <= H, termwise(arithmetic("letters"), k)),
        ],
    ),
    breaks=[
        edit("drop letters", "from o", instance(X=[0, 1], o=1, n=1, P={0: 1}), {u: 0}),
    ],
)
