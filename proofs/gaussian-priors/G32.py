"""(19): the probability of a long move, exact and bounded.

Z has any symmetric law, Q(t) = Pr(Z > t).
"""
from pfverify.proof.language import *

s, reach = positive("s reach")  # s: |sigma_i - sigma_j|, reach: epsilon b
m, ds = constants("m ds")  # mu_i - mu_j, sigma_i - sigma_j
t, u, v = variables("t u v")
z = draws("z", "Z")
above, below = 1 - indicator(t - z), 1 - indicator(t + z)  # z > t, z < -t
Q, Q_mirrored = mean(above, z), mean(below, z)
in_A = 1 - indicator(reach - abs(ds * z + m))
A = mean(in_A, z)
near, far = {t: (reach - abs(m)) / s}, {t: (reach + abs(m)) / s}
exact = A == at(Q, near) + at(Q, far)
claimed = exact and at(Q, far) <= at(Q, near) and A <= 2 * at(Q, near)

Claim(
    id="G32", source=paper("gaussian-priors", "(19)"), result=PROVED,
    words="Pr(|X - T(X)| > epsilon b) is Q(c - n) + Q(c + n), c = epsilon b / |sigma_i - sigma_j|, "
          "n = |mu_i - mu_j| / |sigma_i - sigma_j|, and so at most the printed 2 Q(c - n)",
    printed=proved(
        given={"sd": s == abs(ds), "symmetric": Q_mirrored == Q},
        example=instance(Z=law({-1: 1/4, 0: 1/2, 1: 1/4}), s=1, reach=1, m=1/2, ds=-1),
        statement=claimed,
        steps=[
            step("same sign", implies(ds * m >= 0, in_A == at(above, near) + at(below, far)),
                 arithmetic("sd")),
            step("A, same sign", implies(ds * m >= 0, A == at(Q, near) + at(Q_mirrored, far)),
                 integrate("same sign", z)),
            step("opposite", implies(ds * m < 0, in_A == at(below, near) + at(above, far)),
                 arithmetic("sd")),
            step("A, opposite", implies(ds * m < 0, A == at(Q_mirrored, near) + at(Q, far)),
                 integrate("opposite", z)),
            step("exact", exact, arithmetic("A, same sign", "A, opposite", use("symmetric", near),
                                            use("symmetric", far))),
            step("fewer", implies(u <= v, at(above, {t: v}) <= at(above, {t: u})), arithmetic()),
            step("falls", implies(u <= v, at(Q, {t: v}) <= at(Q, {t: u})),
                 integrate("fewer", z)),
            step("bound", claimed, arithmetic("exact", use("falls", {
                u: (reach - abs(m)) / s, v: (reach + abs(m)) / s}))),
        ],
    ),
    breaks=[
        edit("drop sd", "same sign", instance(
            Z=law({-1: 1/4, 0: 1/2, 1: 1/4}), s=2, reach=1, m=1/2, ds=-1)),
        edit("drop symmetric", "exact", instance(Z=law({2: 1}), s=1, reach=1, m=1/2, ds=-1)),
    ],
)
