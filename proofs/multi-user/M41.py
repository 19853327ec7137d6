"""Proposition 2 (28): the longest step over epsilon is a private scale for whole steps only."""
from pfverify.proof.language import *

theta, epsilon = positive("theta epsilon")
u, v, s = variables("u v s")  # s: an output
x, y, z = indices("x y z", "X")
c, d, e, m = member("c d e m", "X")  # c, d: the farthest edge; m: the letter of the longest step
pi, D = masses("pi D")
low, left, n, far = indicator(u - x), indicator(v - z), D(y), abs(c - d)
F, G = total(pi(x, z) * low, x, z), total(pi(x, z) * left, x, z)
J, B = total(pi(x, z) * low * left, x, z), total(pi(x, z) * (1 - indicator(z - v)), x, z)
F_y, over, under = at(F, {u: y}), at(F > G, {u: y, v: y}), at(F < G, {u: y, v: y})
near, off, K = exp(-abs(s - x) / theta), exp(-abs(s - z) / theta), exp(epsilon)
p, q = total(pi(x, z) * near, x, z), total(pi(x, z) * off, x, z)
private = p <= K * q and q <= K * p
whole_steps = (implies(over, at(G, {v: y + n - 1}) < F_y and F_y <= at(G, {v: y + n}))
               and implies(under, at(G, {v: y - n}) <= F_y and F_y < at(G, {v: y - n + 1})))
real_steps = (implies(over, at(B, {v: y + n}) < F_y and F_y <= at(G, {v: y + n}))
              and implies(under, at(B, {v: y - n}) <= F_y and (n == 0 or F_y < at(G, {v: y - n}))))
scale_28 = (over or under or n == 0) and n <= D(m) and theta * epsilon == D(m)
whole = proved(
    words="Whole letters without gaps, whole steps", statement=private,
    given={"edge": pi(c, d) > 0 and (pi(x, z) == 0 or abs(x - z) <= far), "(25)": whole_steps,
           "(6)": at(J == minimum(F, G), {u: x, v: z}), "(28)": scale_28,
           "no gaps": implies(c < d, e == d - 1) and implies(d < c, e == c - 1),
           "whole": abs(abs(x - z) - n) >= 1 or abs(x - z) == n},
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
    meaning=[total(pi(x, z), x, z) == 1],
    breaks=[
        edit("drop (28)", "far", instance(
            X=[0, 1], c=0, d=1, e=0, m=0, pi={(0, 1): 1}, D={0: 1}, theta=1/4, epsilon=1), {s: 0}),
        edit("drop whole", "far"), edit("drop no gaps", "far"),
        edit("K = exp(epsilon / 2)", "scaled", instance(
            X=[0, 1], c=0, d=1, e=0, m=0, pi={(0, 1): 1}, D={0: 1}, theta=1, epsilon=1), {s: 0}),
    ],
)
