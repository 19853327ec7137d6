"""F18: between two laws of one shape and different spread the linear map costs least.

A coupling is a law of w: X(w) and Z(w) have two laws, of which T carries the first to the second.
"""
from pfverify.proof.language import *

k = positive("k")  # the ratio of the spreads
m, n = constants("m n")
u, v, t = variables("u v t")
w, (h, X, Z) = draws("w", "coupling"), functions("h X Z")
x, z = X(w), Z(w)
D_x, D_z = x - (n + k * (x - m)), m + (z - n) / k - z  # x - T(x), and T's inverse of z less z
cost, h_x, h_z = mean(h(x - z), w), mean(h(D_x), w), mean(h(D_z), w)
costs = integrable(h(x - z), w) and integrable(h(D_x), w) and integrable(h(D_z), w)
convex = implies(0 <= t and t <= 1, h(t * u + (1 - t) * v) <= t * h(u) + (1 - t) * h(v))

Claim(
    id="F18", source=paper("design", "F18"), result=PROVED,
    words="If T(x) = n + k (x - m), k != 1, carries a law to another, no coupling of the two has a "
          "smaller mean of h(x - x') than the one along T, for any convex h",
    printed=proved(
        given={"exist": costs, "convex": convex, "T carries": h_z == h_x, "k": k != 1},
        example=instance(k=2, m=0, n=0, coupling=law({-1: 1/2, 1: 1/2}), X={-1: -1, 1: 1},
                         Z={-1: -2, 1: 2}, h={"else": 0}),
        statement=h_x <= cost,
        steps=[
            step("wider", implies(k > 1, k * h_z <= h_x + (k - 1) * cost), termwise(
                arithmetic(use("convex", {t: 1 / k, u: D_x, v: x - z})), w)),
            step("narrower", implies(k < 1, h_x <= (1 - k) * cost + k * h_z), termwise(
                arithmetic(use("convex", {t: 1 - k, u: x - z, v: D_z})), w)),
            step("least", h_x <= cost, arithmetic("wider", "narrower", "T carries", "k")),
        ],
    ),
    breaks=[
        edit("drop convex", "wider", instance(
            k=2, m=0, n=0, coupling=law({-1: 1/2, 1: 1/2}), X={-1: -1, 1: 1}, Z={-1: 2, 1: -2},
            h={1: 1, -1: 1, "else": 0})),
        edit("drop T carries", "least"), edit("drop k", "least"),
    ],
)
