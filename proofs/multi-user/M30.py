"""Lemma 5, proof: the two identities with a shift by 1, for whole reports."""
from pfverify.proof.language import *
from settings.bernoulli import *

back, on = {x: x - 1}, {x: x + 1}
rest = law({0: 1/2, 1: 1/2})
first = F - at(G, back) == (1 - p) * f_x + q * at(f_x, back)
second = F - at(G, on) == -p * f_x - (1 - q) * at(f_x, on)
signs = F - at(G, back) >= 0 and F - at(G, on) <= 0

Claim(
    id="M30", source=paper("multi-user", "Lemma 5, proof"), result=PROVED,
    words="F_P(x) - F_Q(x-1) = (1-p) f(x) + q f(x-1) >= 0 and F_P(x) - F_Q(x+1) = -p f(x) - (1-q) "
          "f(x+1) <= 0, where f(x) is the probability that the others' sum is x",
    printed=proved(
        given={"whole": whole and at(whole, back) and at(whole, on),
               "probabilities": probabilities},
        example=instance(p=1/5, q=9/10, x=1, Rest=rest),
        statement=first and second and signs,
        steps=[
            step("first", first, termwise(arithmetic("whole"), r)),
            step("second", second, termwise(arithmetic("whole"), r)),
            step("chance", 0 <= f_x, termwise(arithmetic(), r)),
            step("before", 0 <= at(f_x, back), termwise(arithmetic(), r)),
            step("after", 0 <= at(f_x, on), termwise(arithmetic(), r)),
            step("signs", signs, arithmetic(
                "first", "second", "chance", "before", "after", "probabilities")),
        ],
    ),
    breaks=[
        edit("drop whole", "first", instance(p=0, q=1, x=1/2, Rest=rest)),
        edit("drop probabilities", "signs"),
        edit("back = {x: x + 1}", "first", instance(p=0, q=1, x=0, Rest=rest)),
    ],
)
