"""(19): the probability of a long move, exact and bounded.

Z has any symmetric law, Q(t) = Pr(Z > t).
"""
from pfverify.proof.language import *

s, reach = positive("s reach")  # s: |sigma_i - sigma_j|, reach: epsilon b
m, ds = constants("m ds")  # mu_i - mu_j, sigma_i - sigma_j
t = variables("t")
z = draws("z", "Z")
above, below = 1 - indicator(t - z), 1 - indicator(t + z)  # z > t, z < -t
Q, Q_mirrored = mean(above, z), mean(below, z)
in_A = 1 - indicator(reach - abs(ds * z + m))
A = mean(in_A, z)
near, far = {t: (reach - abs(m)) / s}, {t: (reach + abs(m)) / s}
claimed = A == at(Q, near) + at(Q, far) and at(Q, far) <= at(Q, near) and A <= 2 * at(Q, near)

Claim(
    id="G32", source=paper("gaussian-priors", "(19)"), result=PROVED,
    words="Pr(|X - T(X)| > epsilon b) is Q(c - n) + Q(c + n), c = epsilon b / |sigma_i - sigma_j|, "
          "n = |mu_i - mu_j| / |sigma_i - sigma_j|, and so at most the printed 2 Q(c - n)",
    printed=proved(
        given={"sd": s == abs(ds), "symmetric": Q_mirrored == Q},
        example=instance(Z=law({-1: 1/4, 0: 1/2, 1: 1/4}), s=1, reach=1, m=1/2, ds=-1),
        statement=claimed,
        steps=[
            step("same sign", implies(ds * m >= 0, A == at(Q, near) + at(Q_mirrored, far)),
                 termwise(arithmetic("sd"), z)),
            step("opposite", implies(ds * m < 0, A == at(Q_mirrored, near) + at(Q, far)),
                 termwise(arithmetic("sd"), z)),
            step("exact", A == at(Q, near) + at(Q, far), arithmetic(
                "same sign", "opposite", use("symmetric", near), use("symmetric", far))),
            step("falls", at(Q, far) <= at(Q, near), termwise(arithmetic(), z)),
            step("bound", A <= 2 * at(Q, near), arithmetic("exact", "falls")),
        ],
    ),
    breaks=[
        edit("drop sd", "same sign", instance(
            Z=law({-1: 1/4, 0: 1/2, 1: 1/4}), s=2, reach=1, m=1/2, ds=-1)),
        edit("drop symmetric", "exact", instance(Z=law({2: 1}), s=1, reach=1, m=1/2, ds=-1)),
    ],
)
