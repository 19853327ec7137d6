"""Proposition 2 (28): the longest step over epsilon is a private scale for whole steps only."""
from pfverify.proof.language import *
from settings.longest_step import *

(theta, epsilon), s = positive("theta epsilon"), variables("s")  # s: an output
near, off, K = exp(-abs(s - x) / theta), exp(-abs(s - z) / theta), exp(epsilon)
p, q = total(pi(x, z) * near, x, z), total(pi(x, z) * off, x, z)
private = p <= K * q and q <= K * p
scale_28 = defined and n <= D(m) and theta * epsilon == D(m)
whole = proved(
    words="Whole letters without gaps, whole steps", statement=private,
    given={"edge": edge, "(25)": whole_steps, "(6)": plan_6, "(28)": scale_28,
           "no gaps": no_gaps, "whole": whole_letters},
    example=instance(X=[0, 1], c=0, d=1, e=0, m=0, pi={(0, 1): 1}, D={0: 1}, theta=1, epsilon=1),
    steps=[
        step("far", far == D(m), theorem(
            "M39", {}, "edge", "(25)", "(6)", "(28)", "no gaps", "whole", part="reading 1")),
        step("scaled", p / (2 * theta) <= K * q / (2 * theta) and q / (2 * theta) <= K * p
             / (2 * theta), theorem("N02", {"y": s}, "far", "edge", "(28)")),
        step("private", private, arithmetic("scaled")),
    ],
)
real = refuted(
    words="Real steps: for the priors of Table 4 in the other order the longest is 1",
    given={"(25)": real_steps, "(28)": scale_28}, statement=private, at={s: 5},
    problem=problem({2: 3/40, 3: 1/2, 4: 9/40, 5: 1/5}, {1: 1/5, 2: 9/40, 3: 1/2, 4: 3/40},
                    epsilon="log(2)", scale="1/log(2)"), instance=instance(m=2, D={2: 1, 4: 1}),
    binds={"X": "atoms", "pi": "plan", "theta": "scale", "epsilon": "epsilon"},
)
Claim(
    id="M41", source=paper("multi-user", "Proposition 2"), result=BOTH_READINGS,
    words="Laplace noise whose scale is the longest step (25) over epsilon is private",
    readings=[whole, real],
    symbols={"e": "d'"}, meaning=[total(pi(x, z), x, z) == 1],
    breaks=[
        edit("drop (28)", "far", instance(
            X=[0, 1], c=0, d=1, e=0, m=0, pi={(0, 1): 1}, D={0: 1}, theta=1/4, epsilon=1), {s: 0}),
        edit("drop whole", "far"),
        edit("K = exp(epsilon / 2)", "scaled", instance(
            X=[0, 1], c=0, d=1, e=0, m=0, pi={(0, 1): 1}, D={0: 1}, theta=1, epsilon=1), {s: 0}),
    ],
)
