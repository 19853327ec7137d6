"""F82: what the sum of a log-concave integrand with Gaussian noise is off by, and its tails.

That a sum in steps of h is off the integral of what is at most M along the edges of a strip of half
width b by at most 2 M/(e^(2 pi b/h) - 1) is Theorem 5.1 of Trefethen and Weideman 2014. Here M is
e^(R b^2/2) times the integral, and A = 2 pi^2/(R h^2). In a log-concave sum no ratio of neighbours
is more than the one before it, so that what follows p and q < p is at most q r + q r^2 + ...

Symbols:
R: the sum of 1/variance of all numbers
h: the step
c: pi
p, q: two terms of the sum, the second the smaller one
"""
from pfverify.proof.language import *

R, h, c = positive("R"), positive("h"), positive("c")
p, q = positive("p"), positive("q")
b = 2 * c / (h * R)
A = 2 * c**2 / (R * h**2)
edge = R * b**2 / 2
turns = 2 * c * b / h
share = 2 * exp(edge) / (exp(turns) - 1) == 2 / (exp(A) - exp(-A))
ratio = q / p
rest = q * ratio / (1 - ratio) == q**2 / (p - q)
formula = edge == A and turns == 2 * A and share and rest

Claim(
    id="F82", source=paper("design", "F82"), result=PROVED,
    words="With b = 2 pi/(h R) the growth R b^2/2 along the edge of a strip is A and 2 pi b/h is "
          "2 A, so that 2 e^(R b^2/2)/(e^(2 pi b/h) - 1) = 1/sinh A; and q r/(1 - r), what the "
          "terms q r, q r^2, ... sum to, is q^2/(p - q) with r = q/p",
    printed=proved(
        given={"falls": q < p},
        example=instance(R=1, h=1, c=3, p=2, q=1),
        statement=formula,
        steps=[
            step("edge", edge == A, arithmetic()),
            step("turns", turns == 2 * A, arithmetic()),
            step("share", share, arithmetic("edge", "turns")),
            step("rest", rest, arithmetic("falls")),
            step("all", formula, arithmetic("edge", "turns", "share", "rest")),
        ],
    ),
    breaks=[edit("b = c / (h * R)", "edge"), edit("drop falls", "rest")],
)
