"""Section II-B: the linear map T is a cheapest coupling, for W_2 and for every convex cost.

Totals stand for means over a coupling of two laws, of which T carries the first to the second.
"""
from pfverify.proof.language import *

k = positive("k")  # s_j / s_i
m, n = constants("m n")
x, z = indices("x z", "X")
u, v, t = variables("u v t")
pi, h = masses("pi"), functions("h")
D_x, D_z = x - (n + k * (x - m)), m + (z - n) / k - z  # x - T(x), and T's inverse of z less z
squares, along_T = total(pi(x, z) * (x - z)**2, x, z), total(pi(x, z) * D_x**2, x, z)
S_x, S_z = total(pi(x, z) * (x - m)**2, x, z), total(pi(x, z) * (z - n)**2, x, z)
M_x, M_z = total(pi(x, z) * (x - m), x, z), total(pi(x, z) * (z - n), x, z)
least = (m - n)**2 + 2 * (m - n) * (x - m - (z - n)) + (1 - k) * (x - m)**2 + (1 - 1 / k) * (
    z - n)**2
cost = total(pi(x, z) * h(x - z), x, z)
h_x, h_z = total(pi(x, z) * h(D_x), x, z), total(pi(x, z) * h(D_z), x, z)
convex = implies(0 <= t and t <= 1, h(t * u + (1 - t) * v) <= t * h(u) + (1 - t) * h(v))
two = instance(k=2, m=0, n=0, X=[-2, -1, 1, 2], pi={(-1, -2): 1/2, (1, 2): 1/2}, h={"else": 0})

Claim(
    id="G05", source=paper("gaussian-priors", "Section II-B"), result=PROVED,
    words="Among all couplings of the two normal laws, the one along T has the least mean squared "
          "distance",
    printed=proved(
        given={"means": M_x == 0 and M_z == 0, "variances": S_z == k**2 * S_x}, example=two,
        statement=along_T <= squares,
        steps=[
            step("term", least <= (x - z)**2, arithmetic()),
            step("sum", total(pi(x, z) * least, x, z) <= squares,
                 integrate("term", x, z, weight=pi(x, z))),
            step("least",
                 total(pi(x, z) * least, x, z) == along_T + (1 - 1 / k) * (S_z - k**2 * S_x)
                 + 2 * (m - n) * (k * M_x - M_z), identity()),
            step("all", along_T <= squares, arithmetic("means", "variances", "sum", "least")),
        ],
    ),
    tighter=proved(
        words="So for every convex cost h(x - x') if s_i != s_j, in particular for every W_alpha, "
              "alpha >= 1",
        given={"convex": convex, "T carries": h_z == h_x, "k": k != 1}, example=two,
        statement=h_x <= cost,
        steps=[
            step("k > 1", implies(k > 1, k * h(D_z) <= h(D_x) + (k - 1) * h(x - z)),
                 arithmetic(use("convex", {t: 1 / k, u: D_x, v: x - z}))),
            step("k < 1", implies(k < 1, h(D_x) <= (1 - k) * h(x - z) + k * h(D_z)),
                 arithmetic(use("convex", {t: 1 - k, u: x - z, v: D_z}))),
            step("above", implies(k > 1, k * h_z <= h_x + (k - 1) * cost),
                 integrate("k > 1", x, z, weight=pi(x, z))),
            step("below", implies(k < 1, h_x <= (1 - k) * cost + k * h_z),
                 integrate("k < 1", x, z, weight=pi(x, z))),
            step("all", h_x <= cost, arithmetic("above", "below", "T carries", "k")),
        ],
    ),
)
