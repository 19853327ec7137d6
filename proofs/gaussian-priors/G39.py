"""Appendix D, last line: a sum of terms of both signs need not be at most 0."""
from pfverify.proof.language import *

b, epsilon = positive("b epsilon")
m = indices("m", "M")
alpha, c = masses("alpha c")  # c(m): the probability of the event given component m
mu, nu = functions("mu nu")
shift = abs(mu(m) - nu(m))
saved = 1 - exp(epsilon - shift / b)
half, far, near, one = {1: 1/2, 2: 1/2}, {1: 1, 2: 3}, {1: 0, 2: 0}, {1: 1, 2: 1}

Claim(
    id="G39", source=paper("gaussian-priors", "Appendix D"), result=REPAIRED,
    words="If b epsilon is at least the mean of the shifts, the mean of (1 - e^(epsilon - "
          "|mu_im - mu_jm|/b)) times the probability of the event given component m is <= 0",
    printed=refuted(
        words="Means (1, 3) and (0, 0), sigma = 1, e^epsilon = 4: the mean is at least P(B) - "
              "e^epsilon Q(B) (G38), so it is <= 0 for every B only if the mixtures are private",
        given={"weights": total(alpha(m), m) == 1, "all move": mu(m) != nu(m),
               "(15)": b * epsilon >= total(alpha(m) * shift, m)},
        statement=verdict("the mixtures", "certified"),
        problem=problem(mixture_prior(half, far, one), mixture_prior(half, near, one),
                        epsilon="log(4)", delta=19/1000, scale="1/log(2)"),
        binds={"epsilon": "epsilon", "b": "scale"},
        instance=instance(M=[1, 2], alpha=half, mu=far, nu=near),
    ),
    corrected=proved(
        words="It is at most 0 if b epsilon is at least every shift",
        given={"largest": b * epsilon >= shift},
        example=instance(M=[1, 2], alpha={1: 1/2, 2: 1/2}, mu=far, nu=near, b=3, epsilon=1,
                         c={1: 1/3, 2: 1}),
        statement=total(alpha(m) * saved * c(m), m) <= 0,
        steps=[
            step("exponent", shift / b <= epsilon, arithmetic("largest")),
            step("sum", total(alpha(m) * saved * c(m), m) <= 0,
                 termwise(arithmetic("exponent"), m, weight=alpha(m))),
        ],
    ),
    breaks=[
        edit("drop largest", "exponent", instance(
            M=[1], alpha={1: 1}, mu={1: 2}, nu={1: 0}, b=1, epsilon=1, c={1: 1})),
    ],
)
