"""(19): with whole reports the two distribution functions differ by (q - p) Pr(f(D_-i) = x)."""
from pfverify.proof.language import *
from settings.bernoulli import *

t = variables("t")  # where the user's own distribution functions are compared
own = ((1 - p) * indicator(t) + p * indicator(t - 1)
       - (1 - q) * indicator(t) - q * indicator(t - 1))
over_rest = mean(at(own, {t: x - r}), r)
identity_19 = F - G == over_rest and over_rest == f_x * (q - p)

Claim(
    id="M29", source=paper("multi-user", "(19)"), result=PROVED,
    words="F_P(x) - F_Q(x) is the mean of the difference of the user's own distribution functions "
          "at x less the others' sum, and this is q - p times the probability that the sum is x",
    printed=proved(
        given={"whole": whole},
        example=instance(p=1/5, q=9/10, x=1, Rest=law({0: 1/2, 1: 1/2})),
        statement=identity_19,
        steps=[
            step("own", F - G == over_rest, termwise(arithmetic(), r)),
            step("at x", over_rest == f_x * (q - p), termwise(arithmetic("whole"), r)),
        ],
    ),
    breaks=[
        edit("drop whole", "at x", instance(p=0, q=1, x=1/2, Rest=law({0: 1}))),
        edit("own = (p - q) * indicator(t) + (q - p) * indicator(t - 1)", "own",
             instance(p=0, q=1, x=0, Rest=law({0: 1}))),
    ],
    meaning=[0 <= p and p <= 1 and 0 <= q and q <= 1],
)
