"""Corollary 2: the mean of the shifts is not enough, the largest of them is."""
from pfverify.proof.language import *
from settings.mixtures import *

b, epsilon = positive("b epsilon")
y = variables("y")
E, shift = exp(epsilon), abs(mu(m) - nu(m))
near, far = exp(-abs(y - x) / b), exp(-abs(y - nu(m) - s(m) * z) / b)  # z of any law
p, q = total(alpha(m) * mean(near, z), m), total(alpha(m) * mean(far, z), m)
from_, to = {1: 0, 2: 0}, {1: 1, 2: 3}

Claim(
    id="G26", source=paper("gaussian-priors", "Corollary 2"), result=REPAIRED,
    words="Mixtures whose components move without changing their shape need the scale "
          "sum alpha_m |mu_im - mu_jm| / epsilon",
    printed=refuted(
        words="Means (0, 0) and (1, 3), sigma = 1, e^epsilon = 4, the scale (15): not private",
        given={"weights": total(alpha(m), m) == 1, "all move": mu(m) != nu(m),
               "(15)": b * epsilon >= total(alpha(m) * shift, m)},
        statement=verdict("the mixtures", "certified"),
        problem=problem(mixture_prior(half, from_, one), mixture_prior(half, to, one),
                        epsilon="log(4)", scale="1/log(2)"),
        binds={"epsilon": "epsilon", "b": "scale"},
        instance=instance(M=[1, 2], alpha=half, mu=from_, nu=to, s=one),
    ),
    corrected=proved(
        words="The scale max |mu_im - mu_jm| / epsilon gives both orders at every output",
        given={"largest": b * epsilon >= shift},
        example=instance(M=[1, 2], Z=law({0: 1/2, 1: 1/2}), alpha=half, mu=from_,
                         nu=to, s=one, b=3, epsilon=1),
        statement=p <= E * q and q <= E * p,
        steps=[
            step("exponent", shift / b <= epsilon, arithmetic("largest")),
            step("p", p <= E * q, termwise(arithmetic("exponent"), z, m, weight=alpha(m))),
            step("q", q <= E * p, termwise(arithmetic("exponent"), z, m, weight=alpha(m))),
        ],
    ),
    meaning=[s(m) > 0],
    breaks=[
        edit("drop largest", "exponent", instance(
            M=[1], Z=law({0: 1}), alpha={1: 1}, mu={1: 0}, nu={1: 2}, s={1: 1}, b=1,
            epsilon=1), {y: 0}),
    ],
)
