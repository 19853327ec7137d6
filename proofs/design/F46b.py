"""F46: with a step after the noise more noise is not always more private at delta = 0 either."""
from pfverify.proof.language import *

p, q, split = {0: 1/2, 10: 1/2}, {4: 1/2, 26/5: 1/2}, [{"bins": {"edges": [5]}}]

Claim(
    id="F46b", source=paper("design", "F46"), result=PROVED,
    words="Halves of 0 and 10 against halves of 4 and 26/5, published as below 5 or not: epsilon = "
          "1e-8 holds at scale 1/100, not even 27/100 at 3/10, and again 1/50 at 30",
    printed=proved(
        statement=verdict("1/100", "certified") and verdict("3/10", "refuted")
        and verdict("30", "certified"),
        steps=[
            step("at 1/100", verdict("1/100", "certified"), certificate(
                problem(p, q, epsilon=1/10**8, scale=1/100, post=split))),
            step("at 3/10", verdict("3/10", "refuted"), certificate(
                problem(p, q, epsilon=27/100, scale=3/10, post=split))),
            step("at 30", verdict("30", "certified"), certificate(
                problem(p, q, epsilon=1/50, scale=30, post=split))),
        ],
    ),
    breaks=[edit('split = [{"bins": {"edges": [4]}}]', "at 1/100")],
)
