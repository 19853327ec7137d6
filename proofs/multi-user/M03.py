"""(4): the difference of the two densities along a coupling, bounded by the triangle inequality.

A coupling is a law: X(w) and Z(w) have the laws P and Q (so bounded functions have equal means).
`exists` says that the right side of (4) is finite, at y = 0 (so at every y); else (4) is clear.
"""
from pfverify.proof.language import *

(theta, epsilon), y = positive("theta epsilon"), variables("y")
x, z, w = draws("x", "P"), draws("z", "Q"), draws("w", "coupling")
(X, Z), E, one = functions("X Z"), exp(epsilon), 1 / (2 * theta)
far, near = one * exp(-abs(y - X(w)) / theta), one * exp(-abs(y - Z(w)) / theta)
p, q = mean(one * exp(-abs(y - x) / theta), x), mean(one * exp(-abs(y - z) / theta), z)
way = abs(X(w) - Z(w))
grow, bound = exp(way / theta), one * exp(abs(y) / theta) * exp((way - abs(Z(w))) / theta)
first, second = p - E * q, mean(far - E * near, w)
fair = law({0: 1/2, 1: 1/2})

Claim(
    id="M03", source=paper("multi-user", "(4)"), result=PROVED,
    words="p - e^epsilon q is the mean over a coupling of the noise's density at y - x less "
          "e^epsilon times that at y - x', at most that of the latter times e^(|x-x'|/theta) - "
          "e^epsilon",
    printed=proved(
        given={"priors": mean(far, w) == p and mean(near, w) == q,
               "exists": integrable(exp((way - abs(Z(w))) / theta), w)},
        example=instance(theta=1, epsilon=1, P=fair, Q=law({0: 1}), coupling=fair,
                         X={0: 0, 1: 1}, Z={0: 0, 1: 0}),
        statement=first == second and second <= mean(near * (grow - E), w),
        steps=[
            step("linear", second == mean(far, w) - E * mean(near, w), identity()),
            step("along it", first == second, arithmetic("linear", "priors")),
            step("small", abs(near * grow) <= bound, arithmetic()),
            step("right side", abs(mean(near * grow, w)) <= mean(bound, w), dominated("small")),
            step("(4)", second <= mean(near * (grow - E), w), termwise(arithmetic(), w)),
        ],
    ),
    breaks=[
        edit("drop priors", "along it", instance(
            theta=1, epsilon=1, P=law({0: 1}), Q=law({1: 1}), coupling=law({0: 1}), X={0: 0},
            Z={0: 0}), {y: 0}),
        edit("way = abs(X(w) - Z(w)) / 2", "(4)", instance(
            theta=1, epsilon=1, P=law({0: 1}), Q=law({1: 1}), coupling=law({0: 1}), X={0: 0},
            Z={0: 1}), {y: 0}),
    ],
)
