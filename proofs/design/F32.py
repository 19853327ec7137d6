"""F32: the plan (6) of two translations of one law moves everything by the same distance."""
from pfverify.proof.language import *

(m, n), (u, v) = constants("m n"), variables("u v")
(x, z), (c, d) = indices("x z", "X"), member("c d", "X")
k, f, pi = indices("k", "R"), masses("f"), masses("pi")
low, left = indicator(u - x), indicator(v - z)
F, G = total(pi(x, z) * low, x, z), total(pi(x, z) * left, x, z)
J, H = total(pi(x, z) * low * left, x, z), total(f(k) * indicator(u - k), k)
up, down = pi(x, z) * low * (1 - left), pi(x, z) * (1 - low) * left

Claim(
    id="F32", source=paper("design", "F32"), result=PROVED,
    words="If the priors are a law moved by m and the law moved by n, the plan with the "
          "distribution function min(F, G) has no mass but where x - x' = m - n",
    printed=proved(
        given={"moved": F == at(H, {u: u - m}) and G == at(H, {u: v - n}),
               "(6)": J == minimum(F, G)},
        example=instance(m=1, n=0, c=1, d=0, R=[0, 1], X=[0, 1, 2], f={0: 1/2, 1: 1/2},
                         pi={(1, 0): 1/2, (2, 1): 1/2}),
        statement=pi(c, d) == 0 or c - d == m - n,
        steps=[
            step("edge", at(up, {x: c, z: d}) <= F - J and at(down, {x: c, z: d}) <= G - J,
                 theorem("F14", {"a": c, "b": d})),
            step("farther", implies(c - d < m - n, pi(c, d) == 0), arithmetic(
                use("edge", {u: c, v: c - m + n}), use("moved", {u: c, v: c - m + n}),
                use("(6)", {u: c, v: c - m + n}))),
            step("nearer", implies(c - d > m - n, pi(c, d) == 0), arithmetic(
                use("edge", {u: d + m - n, v: d}), use("moved", {u: d + m - n, v: d}),
                use("(6)", {u: d + m - n, v: d}))),
            step("only there", pi(c, d) == 0 or c - d == m - n, arithmetic("farther", "nearer")),
        ],
    ),
    breaks=[
        edit("drop moved", "farther", instance(
            m=1, n=0, c=0, d=0, R=[0], X=[0, 1], f={0: 1}, pi={(0, 0): 1})),
        edit("drop (6)", "farther", instance(
            m=0, n=0, c=0, d=1, R=[0, 1], X=[0, 1], f={0: 1/2, 1: 1/2},
            pi={(0, 1): 1/2, (1, 0): 1/2})),
    ],
)
