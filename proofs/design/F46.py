"""F46: with a step after the noise more noise is not always more private, at epsilon > 0."""
from pfverify.proof.language import *

rounded = [{"round": {"to": 1}}]  # halves go up
p, q, eps = {0: 1}, {2/5: 1}, 1/10
small = "1/2*exp(-10)-1/2*exp(-499/10)"  # 0.0000227, exactly (e^(-1/(10 b)) - e^(1/10-1/(2 b)))/2
large, less_large = "1/2*exp(-1/2)-1/2*exp(-12/5)", "1/2*exp(-1/2)-1/2*exp(-12/5)-1/1000000000000"
middle, less_middle = "1/2*exp(-1/10)-1/2*exp(-2/5)", "1/2*exp(-1/10)-1/2*exp(-2/5)-1/1000000000000"

Claim(
    id="F46", source=paper("design", "F46"), result=PROVED,
    words="0 against 2/5, rounded to whole numbers, at epsilon = 1/10: delta is at most 0.0000227 "
          "at scale 1/100, (e^(-1/2) - e^(-12/5))/2 = 0.2579 at 1/5, (e^(-1/10) - e^(-2/5))/2 = "
          "0.1173 at 1 (1e-12 less is refuted), and 0 at 4: a larger scale may leak more",
    printed=proved(
        statement=verdict("1/100", "certified") and verdict("4", "certified")
        and verdict("1/5", "certified") and verdict("less at 1/5", "refuted")
        and verdict("1", "certified") and verdict("less at 1", "refuted"),
        steps=[
            step("at 1/100", verdict("1/100", "certified"), certificate(
                problem(p, q, epsilon=eps, delta=small, scale=1/100, post=rounded))),
            step("at 1/5", verdict("1/5", "certified"), certificate(
                problem(p, q, epsilon=eps, delta=large, scale=1/5, post=rounded))),
            step("below at 1/5", verdict("less at 1/5", "refuted"), certificate(
                problem(p, q, epsilon=eps, delta=less_large, scale=1/5, post=rounded))),
            step("at 1", verdict("1", "certified"), certificate(
                problem(p, q, epsilon=eps, delta=middle, scale=1, post=rounded))),
            step("below at 1", verdict("less at 1", "refuted"), certificate(
                problem(p, q, epsilon=eps, delta=less_middle, scale=1, post=rounded))),
            step("at 4", verdict("4", "certified"), certificate(
                problem(p, q, epsilon=eps, scale=4, post=rounded))),
        ],
    ),
    breaks=[
        edit('rounded = [{"round": {"to": 1/2}}]', "at 1/100"),
    ],
)
