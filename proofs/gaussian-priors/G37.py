"""(24): the probability of the event depends on the component, it cannot leave the sum."""
from pfverify.proof.language import *
from settings.events import *
from settings.mixtures import *

# in the corrected statement z has any law; c(u) is the chance of an event when the data is u
gap, move = abs(x - T), abs(mu(m) - nu(l))  # they agree where the standard deviations do
saved = 1 - total(w(m, l) / alpha(m) * exp(epsilon - move / b), l)
start = total(w(m, l) * mean(c(x) * (1 - exp(epsilon - gap / b)), z), l, m)
positive_part = total(w(m, l) * mean(maximum(1 - exp(epsilon - gap / b), 0), z), l, m)
long_moves = total(w(m, l) * mean(1 - indicator(epsilon * b - gap), z), l, m)

Claim(
    id="G37", source=paper("gaussian-priors", "(24)"), result=REPAIRED,
    words="The probability of the event given the first component, whichever that is, is a common "
          "factor of the sum over the components",
    printed=refuted(
        words="If c_n(B) times the sum of the factors, which is not 0, were the same for n = 1, 2, "
              "so would c_1(B) and c_2(B) be for every B: N(0,1) and N(2,1) (0, 0)-private",
        given={"rows": total(w(m, l), l) == alpha(m), "same sd": s(m) == t(l),
               "factors": total(alpha(m) * saved, m) != 0},
        statement=verdict("the two components", "certified"), binds={"b": "scale"},
        problem=problem(normal_prior(0, 1), normal_prior(2, 1), epsilon=0, scale=1),
        instance=instance(M=[1, 2], L=[1], alpha=half, w=halves, mu={1: 0, 2: 2}, nu={1: 0},
                          s=one, t={1: 1}, epsilon=1),
    ),
    corrected=proved(
        words="The sum is at most that of the positive parts, pair by pair, and so at most the "
              "mean over the pairs of the probability of a move longer than epsilon b",
        given={"event": event},
        example=instance(M=[1, 2], L=[1], w=halves, mu={1: 0, 2: 2}, nu={1: 0}, s=one, t={1: 1},
                         b=1, epsilon=1, c={"else": 1/2}, Z=law({0: 1})),
        statement=start <= positive_part and positive_part <= long_moves,
        steps=[
            step("sum", start <= positive_part,
                 termwise(arithmetic(use("event", {u: x})), z, l, m, weight=w(m, l))),
            step("long moves", positive_part <= long_moves,
                 termwise(arithmetic(), z, l, m, weight=w(m, l))),
        ],
    ),
    meaning=[s(m) > 0, t(l) > 0],
    breaks=[
        edit("drop event", "sum", instance(
            M=[1], L=[1], w={(1, 1): 1}, mu={1: 0}, nu={1: 2}, s={1: 1}, t={1: 1}, b=1, epsilon=1,
            c={0: 2}, Z=law({0: 1}))),
    ],
)
