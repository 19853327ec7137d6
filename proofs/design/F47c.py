"""F47: a larger bound of truncated Laplace noise may leak more."""
from pfverify.proof.language import *

p, q, noise = {0: 1/2, 5: 1/2}, {1: 1/2, 6: 1/2}, "truncated-laplace"

Claim(
    id="F47c", source=paper("design", "F47"), result=PROVED,
    words="Halves of 0 and 5 against halves of 1 and 6, truncated Laplace noise of scale 3, "
          "epsilon = 0: delta is at most 118/1000 with the bound 9/2 and above 131/1000 with the "
          "bound 5, so delta does not fall in the bound",
    printed=proved(
        statement=verdict("9/2", "certified") and verdict("5", "refuted"),
        steps=[
            step("at 9/2", verdict("9/2", "certified"), certificate(problem(
                p, q, epsilon=0, delta=118/1000, noise=noise, scale=3, bound=9/2))),
            step("at 5", verdict("5", "refuted"), certificate(problem(
                p, q, epsilon=0, delta=131/1000, noise=noise, scale=3, bound=5))),
        ],
    ),
    breaks=[edit("q = {1: 1}", "at 9/2")],
)
