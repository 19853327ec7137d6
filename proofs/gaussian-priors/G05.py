"""Section II-B: the linear map T is a cheapest coupling, for W_2 and for every convex cost.

A coupling is a law of w: X(w) and Z(w) have two laws, of which T carries the first to the second.
"""
from pfverify.proof.language import *

k = positive("k")  # s_j / s_i
m, n = constants("m n")
w = draws("w", "coupling")
u, v, t = variables("u v t")
h, X, Z = functions("h X Z")
x, z = X(w), Z(w)
D_x, D_z = x - (n + k * (x - m)), m + (z - n) / k - z  # x - T(x), and T's inverse of z less z
squares, along_T = mean((x - z)**2, w), mean(D_x**2, w)
S_x, S_z = mean((x - m)**2, w), mean((z - n)**2, w)
M_x, M_z = mean(x - m, w), mean(z - n, w)
least = (m - n)**2 + 2 * (m - n) * (x - m - (z - n)) + (1 - k) * (x - m)**2 + (1 - 1 / k) * (
    z - n)**2
cost, h_x, h_z = mean(h(x - z), w), mean(h(D_x), w), mean(h(D_z), w)
exists = (integrable(x, w) and integrable(z, w) and integrable(x**2, w) and integrable(z**2, w)
          and integrable(x * z, w))  # the means of x**2 and z**2 give the others
costs = integrable(h(x - z), w) and integrable(h(D_x), w) and integrable(h(D_z), w)
convex = implies(0 <= t and t <= 1, h(t * u + (1 - t) * v) <= t * h(u) + (1 - t) * h(v))
two = instance(k=2, m=0, n=0, coupling=law({-1: 1/2, 1: 1/2}), X={-1: -1, 1: 1},
               Z={-1: -2, 1: 2}, h={"else": 0})

Claim(
    id="G05", source=paper("gaussian-priors", "Section II-B"), result=PROVED,
    words="Among all couplings of the two normal laws, the one along T has the least mean squared "
          "distance",
    printed=proved(
        given={"exist": exists, "means": M_x == 0 and M_z == 0, "variances": S_z == k**2 * S_x},
        example=two,
        statement=along_T <= squares,
        steps=[
            step("term", least <= (x - z)**2, arithmetic()),
            step("sum", mean(least, w) <= squares, integrate("term", w)),
            step("least", mean(least, w) == along_T + (1 - 1 / k) * (S_z - k**2 * S_x)
                 + 2 * (m - n) * (k * M_x - M_z), identity()),
            step("all", along_T <= squares, arithmetic("means", "variances", "sum", "least")),
        ],
    ),
    tighter=proved(
        words="So for every convex cost h(x - x') if s_i != s_j, in particular for every W_alpha, "
              "alpha >= 1",
        given={"exist": costs, "convex": convex, "T carries": h_z == h_x, "k": k != 1}, example=two,
        statement=h_x <= cost,
        steps=[
            step("k > 1", implies(k > 1, k * h(D_z) <= h(D_x) + (k - 1) * h(x - z)),
                 arithmetic(use("convex", {t: 1 / k, u: D_x, v: x - z}))),
            step("k < 1", implies(k < 1, h(D_x) <= (1 - k) * h(x - z) + k * h(D_z)),
                 arithmetic(use("convex", {t: 1 - k, u: x - z, v: D_z}))),
            step("above", implies(k > 1, k * h_z <= h_x + (k - 1) * cost),
                 integrate("k > 1", w)),
            step("below", implies(k < 1, h_x <= (1 - k) * cost + k * h_z),
                 integrate("k < 1", w)),
            step("all", h_x <= cost, arithmetic("above", "below", "T carries", "k")),
        ],
    ),
)
