"""F13: the values of a distribution function at the first and the last letter, and before them."""
from pfverify.proof.language import *

h, u = positive("h"), variables("u")
(k, (o, n)) = indices("k", "X"), member("o n", "X")  # o and n: the first and the last letter
P = masses("P")
below = indicator(u - k)
H, whole = total(P(k) * below, k), total(P(k), k)
at_o = at(H, {u: o - h}) == 0 and at(H, {u: o}) == P(o)
at_n = at(H, {u: n - h}) == whole - P(n) and at(H, {u: n}) == whole

Claim(
    id="F13b", source=paper("design", "F13"), result=PROVED,
    words="The distribution function of P is between 0 and the total; it is 0 at o - h, P(o) at "
          "the first letter o, the total less P(n) at n - h and the total at the last letter n",
    printed=proved(
        given={"letters": o <= k and k <= n and implies(k != n, k <= n - h)},
        example=instance(h=1, X=[0, 1, 3], o=0, n=3, P={0: 1/2, 3: 1/2}),
        statement=0 <= H and H <= whole and at_o and at_n,
        steps=[
            step("some", 0 <= below, arithmetic()),
            step("most", below <= 1, arithmetic()),
            step("0 <= H", 0 <= H, integrate("some", k, weight=P(k))),
            step("H <= 1", H <= whole, integrate("most", k, weight=P(k))),
            step("none", at(below, {u: o - h}) == 0, arithmetic("letters")),
            step("H(o-h)", at(H, {u: o - h}) == 0, integrate("none", k, weight=P(k))),
            step("one", implies(k != o, at(below, {u: o}) == 0), arithmetic("letters")),
            step("H(o)", at(H, {u: o}) == P(o), single("one", k, weight=P(k))),
            step("all", at(below, {u: n}) == 1, arithmetic("letters")),
            step("H(n)", at(H, {u: n}) == whole, integrate("all", k, weight=P(k))),
            step("rest", implies(k != n, 1 - at(below, {u: n - h}) == 0), arithmetic("letters")),
            step("but n", whole - at(H, {u: n - h}) == P(n) * (1 - indicator(-h)),
                 single("rest", k, weight=P(k))),
            step("H(n-h)", at(H, {u: n - h}) == whole - P(n), arithmetic("but n")),
        ],
    ),
    breaks=[edit("drop letters", "none", instance(h=1, X=[0, 1], o=1, n=1, P={0: 1}))],
)
