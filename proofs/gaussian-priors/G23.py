"""(12): mixing the linear maps between components gives a coupling of the two mixtures."""
from pfverify.proof.language import *

a, c, x = variables("a c x")
m, l = indices("m", "M"), indices("l", "L")
w, alpha, beta, s, t = masses("w alpha beta s t")
mu, nu = functions("mu nu")
T, back = nu(l) + t(l) / s(m) * (x - mu(m)), mu(m) + s(m) / t(l) * (c - nu(l))
at_most_a, at_most_c = normal_cdf(a, mu(m), s(m)), normal_cdf(c, nu(l), t(l))
moved_below = normal_cdf(back, mu(m), s(m))  # T(X) <= c, X from component m
first, second = total(w(m, l) * at_most_a, m, l), total(w(m, l) * moved_below, m, l)
prior_i, prior_j = total(alpha(m) * at_most_a, m), total(beta(l) * at_most_c, l)
coupling = iff(T <= c, x <= back) and first == prior_i and second == prior_j

Claim(
    id="G23", source=paper("gaussian-priors", "(12)"), result=PROVED,
    words="With weights w_ml whose marginals are those of the mixtures (the printed index w_kl is "
          "a misprint) the two marginals of (12) are the two mixtures",
    printed=proved(
        given={"rows": total(w(m, l), l) == alpha(m), "columns": total(w(m, l), m) == beta(l),
               "sds": s(m) > 0 and t(l) > 0},
        example=instance(M=[1], L=[1, 2], w={(1, 1): 1/2, (1, 2): 1/2}, alpha={1: 1}, mu={1: 0},
                         beta={1: 1/2, 2: 1/2}, nu={1: 0, 2: 10}, s={1: 1}, t={1: 1, 2: 3}),
        statement=coupling,
        steps=[
            step("event", iff(T <= c, x <= back), arithmetic("sds")),
            step("first", first == prior_i, integrate("rows", m, weight=at_most_a)),
            step("argument", moved_below == at_most_c, identity()),
            step("moved", second == total(w(m, l) * at_most_c, m, l),
                 integrate("argument", m, l, weight=w(m, l))),
            step("second", total(w(m, l) * at_most_c, m, l) == prior_j,
                 integrate("columns", l, weight=at_most_c)),
            step("second prior", second == prior_j, arithmetic("moved", "second")),
        ],
    ),
    breaks=[
        edit("drop rows", "first", instance(
            M=[1], L=[1], w={(1, 1): 1}, alpha={}, beta={1: 1}, mu={1: 0}, nu={1: 0}, s={1: 1},
            t={1: 1}), {a: 0, c: 0, x: 0}),
    ],
)
