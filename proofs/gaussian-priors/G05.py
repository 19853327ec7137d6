"""Section II-B: the linear map T is a cheapest coupling for W_2 (for every W_alpha by F18).

A coupling is a law of w: X(w) and Z(w) have two laws, of which T carries the first to the second.
"""
from pfverify.proof.language import *

k = positive("k")  # s_j / s_i
m, n = constants("m n")
w = draws("w", "coupling")
X, Z = functions("X Z")
x, z = X(w), Z(w)
squares, along_T = mean((x - z)**2, w), mean((x - (n + k * (x - m)))**2, w)
S_x, S_z = mean((x - m)**2, w), mean((z - n)**2, w)
M_x, M_z = mean(x - m, w), mean(z - n, w)
least = (m - n)**2 + 2 * (m - n) * (x - m - (z - n)) + (1 - k) * (x - m)**2 + (1 - 1 / k) * (
    z - n)**2
exists = (integrable(x, w) and integrable(z, w) and integrable(x**2, w) and integrable(z**2, w)
          and integrable(x * z, w))  # the means of x**2 and z**2 give the others

Claim(
    id="G05", source=paper("gaussian-priors", "Section II-B"), result=PROVED,
    words="Among all couplings of the two normal laws, the one along T has the least mean squared "
          "distance",
    printed=proved(
        given={"exist": exists, "means": M_x == 0 and M_z == 0, "variances": S_z == k**2 * S_x},
        example=instance(k=2, m=0, n=0, coupling=law({-1: 1/2, 1: 1/2}), X={-1: -1, 1: 1},
                         Z={-1: -2, 1: 2}),
        statement=along_T <= squares,
        steps=[
            step("sum", mean(least, w) <= squares, termwise(arithmetic(), w)),
            step("least", mean(least, w) == along_T + (1 - 1 / k) * (S_z - k**2 * S_x)
                 + 2 * (m - n) * (k * M_x - M_z), identity()),
            step("all", along_T <= squares, arithmetic("means", "variances", "sum", "least")),
        ],
    ),
    breaks=[
        edit("drop variances", "all", instance(
            k=2, m=0, n=0, coupling=law({-1: 1/2, 1: 1/2}), X={-1: -1, 1: 1}, Z={-1: -1, 1: 1})),
        edit("drop means", "all", instance(
            k=1, m=0, n=2, coupling=law({0: 1}), X={0: 1}, Z={0: 1})),
    ],
)
