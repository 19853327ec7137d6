"""Appendix A.1: the signs of the two differences are weak, as nothing need lie between.

r is drawn from Rest, the law of the others' sum: any law. below is its distribution function at x,
and the common factor of the zetas is left out (M48).
"""
from pfverify.proof.language import *

(a, b, x), delta = constants("a b x"), variables("delta")
r = draws("r", "Rest")
below = mean(indicator(x - r), r)
first = at(below, {x: x - a}) - at(below, {x: x - delta - b})
second = at(below, {x: x - a}) - at(below, {x: x + delta - b})
between = mean(indicator(x - a - r) * (1 - indicator(x - delta - b - r)), r)
beyond = mean(indicator(x + delta - b - r) * (1 - indicator(x - a - r)), r)
strict = implies(delta > a - b, first > 0) and implies(delta > b - a, second < 0)
weak = (implies(delta > a - b, first == between and 0 <= between)
        and implies(delta > b - a, second == -beyond and 0 <= beyond))

Claim(
    id="M47", source=paper("multi-user", "Appendix A.1"), result=REPAIRED,
    words="F(x - a) - F(x - delta - b) > 0 for every delta > a - b, and F(x - a) - F(x + delta - "
          "b) < 0 for every delta > b - a, where F is the distribution function of the others' sum",
    printed=refuted(
        words="The others' sum is 0, a = b = 0 and x = 5: both are 0 at delta = 1",
        statement=strict, at={delta: 1}, instance=instance(a=0, b=0, x=5, Rest=law({0: 1})),
    ),
    corrected=proved(
        words="They are at least 0 and at most 0, by the probability that the others' sum lies "
              "between the two places: strict exactly where that is more than 0",
        statement=weak,
        steps=[
            step("first", implies(delta > a - b, first == between),
                 termwise(arithmetic(), r)),
            step("between", 0 <= between, termwise(arithmetic(), r)),
            step("second", implies(delta > b - a, second == -beyond),
                 termwise(arithmetic(), r)),
            step("beyond", 0 <= beyond, termwise(arithmetic(), r)),
            step("signs", weak, arithmetic("first", "between", "second", "beyond")),
        ],
    ),
    breaks=[
        edit("weak = first == between and second == -beyond", "signs",
             instance(a=1, b=0, x=3/4, Rest=law({0: 1})), {delta: 1/2}),
    ],
)
