"""(19), case list: the signs are weak, and strict exactly where the others' sum can be x."""
from pfverify.proof.language import *
from settings.bernoulli import *

rest = law({0: 1})
strict = implies(p == q, F - G == 0) and implies(p < q, F - G > 0) and implies(p > q, F - G < 0)
weak = implies(p == q, F - G == 0) and implies(p < q, F - G >= 0) and implies(p > q, F - G <= 0)
where_strict = implies(p < q, iff(F - G > 0, f_x > 0)) and implies(p > q, iff(F - G < 0, f_x > 0))

Claim(
    id="M29b", source=paper("multi-user", "(19)"), result=REPAIRED,
    words="F_P(x) - F_Q(x) is 0 if p = q, more than 0 if p < q and less than 0 if p > q",
    printed=refuted(
        words="The others' sum is 0, x = 5, p = 1/4, q = 3/4: the difference is 0",
        given={"whole": whole, "probabilities": probabilities}, statement=strict,
        instance=instance(p=1/4, q=3/4, x=5, Rest=rest),
    ),
    corrected=proved(
        words="It is at least 0 if p < q and at most 0 if p > q, and other than 0 exactly if the "
              "others' sum is x with a probability of more than 0",
        given={"whole": whole, "probabilities": probabilities},
        example=[instance(p=1/4, q=3/4, x=0, Rest=rest), instance(p=3/4, q=1/4, x=0, Rest=rest),
                 instance(p=1/4, q=1/4, x=0, Rest=rest)],
        statement=weak and where_strict,
        steps=[
            step("(19)", F - G == f_x * (q - p), termwise(arithmetic("whole"), r)),
            step("chance", 0 <= f_x, termwise(arithmetic(), r)),
            step("signs", weak and where_strict, arithmetic("(19)", "chance")),
        ],
    ),
    breaks=[
        edit("drop whole", "(19)", instance(p=0, q=1, x=1/2, Rest=rest)),
        edit("weak = implies(p < q, F - G <= 0)", "signs", instance(p=0, q=1, x=0, Rest=rest)),
    ],
)
