"""F73: the losses of two parts that are multiples of h add up like powers of two polynomials.

Each part has masses at losses jh under the first secret, e^(-jh) times as much under the other,
and a mass at an infinite loss, 0 under the other. The sum over the pairs is H of both parts, as in
F70; s is 1 where n = j + k, else 0. More parts are two and two.

Symbols:
E: e^epsilon, or any other factor
h: the step of the losses
j, k, n: places of the losses of the two parts and of their sum
a, b: masses of the two parts
a_inf, b_inf: those at an infinite loss
"""
from pfverify.proof.language import *

h, (E, a_inf, b_inf), (a, b) = positive("h"), constants("E a_inf b_inf"), masses("a b")
j, k, n = indices("j", "First"), indices("k", "Second"), indices("n", "Sums")
pair, s = a(j) * b(k), indicator(-abs(n - j - k))
excess = maximum(pair - E * (a(j) * exp(-j * h)) * (b(k) * exp(-k * h)), 0)
pairs = total(excess, j, k) + total(a(j), j) * b_inf + a_inf * total(b(k), k) + a_inf * b_inf
c, positive_part = total(pair * s, j, k), maximum(1 - E * exp(-n * h), 0)
c_inf = a_inf * (b_inf + total(b(k), k)) + total(a(j), j) * b_inf

Claim(
    id="F73", source=paper("design", "F73"), result=PROVED,
    words="Two parts with masses at multiples of h and at an infinite loss are as one with the "
          "masses c(n) = sum of a(j) b(k) over j + k = n, the coefficients of a product of "
          "polynomials, and at an infinite loss all pairs with one",
    printed=proved(
        given={"sums": total(s, n) == 1},
        example=instance(h=1, E=1, a_inf=0, b_inf=1/2, First=[0, 1], Second=[0], Sums=[0, 1],
                         a={0: 1/2, 1: 1/2}, b={0: 1/2}),
        statement=pairs == c_inf + total(c * positive_part, n),
        steps=[
            step("pair", excess * s == pair * s * positive_part, arithmetic()),
            step("place", total(excess * s, n) == pair * total(s * positive_part, n), integrate(
                "pair", n)),
            step("one", total(excess * s, n) == excess, integrate("sums", weight=excess)),
            step("all pairs", total(excess, j, k) == total(c * positive_part, n), termwise(
                arithmetic("place", "one"), j, k)),
            step("all", pairs == c_inf + total(c * positive_part, n), arithmetic("all pairs")),
        ],
    ),
    breaks=[edit("drop sums", "one"), edit("s = indicator(n - j - k)", "pair")],
)
