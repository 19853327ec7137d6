"""F60: the same in a ball of total variation: what the far places lose goes to one place.

A member adds s to the centre and takes r from it, each of sum at most eta. The member c - R + [sum
of R at top] takes from the places of the smallest k on: omega is what k at top is above k at the
place from which a part is taken, or 0. For the least take -k for k.

Symbols:
x: a place
top: the place of the largest k
c: masses of the centre
s, r: what a member adds and takes
R: what the one with most mass at top takes
k: what a place counts
eta: the radius
omega: how far below the top is from where a part is taken
"""
from pfverify.proof.language import *

(eta, omega), x, top = constants("eta omega"), indices("x", "X"), member("top", "X")
(c, s, r, R), k = masses("c s r R"), functions("k")
below, sum_s, sum_r, sum_R = k(top) - k(x), total(s(x), x), total(r(x), x), total(R(x), x)
taken = implies(below > omega, R(x) == c(x)) and implies(below < omega, R(x) == 0)
of_member = total((c(x) + s(x) - r(x)) * k(x), x)
of_most = total((c(x) - R(x)) * k(x), x) + sum_R * k(top)

Claim(
    id="F60b", source=paper("design", "F60"), result=PROVED,
    words="Of the laws at most eta from a centre in total variation, the sum of P k is largest for "
          "the one in which the place of the largest k gets what is taken from the places of the "
          "smallest k on: eta, or all that the other places have",
    printed=proved(
        given={"top": k(x) <= k(top), "member": r(x) <= c(x), "sums": sum_s == sum_r,
               "ball": sum_r <= eta, "taken": taken,
               "all": omega == 0 or omega > 0 and sum_R == eta},
        example=instance(X=[0, 1, 2], top=2, eta=1/2, omega=1, c={0: 1/4, 1: 1/2, 2: 1/4},
                         s={1: 1/4}, r={2: 1/4}, R={0: 1/4, 1: 1/4}, k={0: 1, 1: 2, 2: 3}),
        statement=of_member <= of_most,
        steps=[
            step("each", r(x) * below + omega * R(x) <= R(x) * below + omega * r(x), arithmetic(
                "member", "taken")),
            step("in sum", total(r(x) * below, x) + omega * sum_R
                 <= total(R(x) * below, x) + omega * sum_r, integrate("each", x)),
            step("no less", omega * sum_r <= omega * sum_R, arithmetic("ball", "all")),
            step("added", total(s(x) * k(x), x) <= sum_s * k(top), integrate(
                "top", x, weight=s(x))),
            step("all in", of_member <= of_most, arithmetic(
                "in sum", "no less", "added", "sums")),
        ],
    ),
    meaning=[total(c(x), x) == 1],
    breaks=[
        edit("drop member", "each"), edit("drop taken", "each"), edit("drop ball", "no less"),
        edit("drop all", "no less"), edit("drop top", "added"), edit("drop sums", "all in"),
    ],
)
