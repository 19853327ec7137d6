"""Lemma 1 (25): right for whole letters without gaps and whole steps, wrong for real steps."""
from pfverify.proof.language import *

(u, v), (x, y, z) = variables("u v"), indices("x y z", "X")
c, d, e, m = member("c d e m", "X")  # c, d: the farthest edge; m: the letter of the longest step
pi, D = masses("pi D")
low, left, n, far = indicator(u - x), indicator(v - z), D(y), abs(c - d)
F, G = total(pi(x, z) * low, x, z), total(pi(x, z) * left, x, z)
J, B = total(pi(x, z) * low * left, x, z), total(pi(x, z) * (1 - indicator(z - v)), x, z)
up, down = pi(x, z) * low * (1 - left), pi(x, z) * (1 - low) * left
F_y, over, under = at(F, {u: y}), at(F > G, {u: y, v: y}), at(F < G, {u: y, v: y})
farthest = pi(c, d) > 0 and (pi(x, z) == 0 or abs(x - z) <= far) and n <= D(m)
plan_6 = at(J == minimum(F, G), {u: x, v: z})
whole_steps = (implies(over, at(G, {v: y + n - 1}) < F_y and F_y <= at(G, {v: y + n}))
               and implies(under, at(G, {v: y - n}) <= F_y and F_y < at(G, {v: y - n + 1})))
real_steps = (implies(over, at(B, {v: y + n}) < F_y and F_y <= at(G, {v: y + n}))
              and implies(under, at(B, {v: y - n}) <= F_y and (n == 0 or F_y < at(G, {v: y - n}))))
equal = n == 0 or over or under  # otherwise F = G at y
no_gaps = implies(c < d, e == d - 1) and implies(d < c, e == c - 1)
whole = proved(
    words="Whole letters without gaps, whole steps", statement=far == D(m),
    given={"farthest": farthest, "(25)": equal and whole_steps, "(6)": plan_6, "no gaps": no_gaps,
           "whole": abs(abs(x - z) - n) >= 1 or abs(x - z) == n},
    example=instance(X=[0, 1, 2], c=1, d=2, e=1, m=1, pi={(0, 0): 1/2, (1, 2): 1/2}, D={1: 1}),
    steps=[
        step("edge", at(up, {x: c, z: d}) <= F - J and at(down, {x: c, z: d}) <= G - J,
             theorem("F14", {"a": c, "b": d})),
        step("more", implies(u <= v, at(left, {v: u}) <= left), arithmetic()),
        step("G", implies(u <= v, at(G, {v: u}) <= G), integrate("more", x, z, weight=pi(x, z))),
        step("reach", pi(x, z) * low <= pi(x, z) * at(left, {v: u + far}), arithmetic("farthest")),
        step("F <= G", F <= at(G, {v: u + far}), integrate("reach", x, z)),
        step("back", pi(x, z) * at(left, {v: u - far}) <= pi(x, z) * low, arithmetic("farthest")),
        step("G <= F", at(G, {v: u - far}) <= F, integrate("back", x, z)),
        step("rightwards", implies(c < d, far <= D(m)), arithmetic(
            "no gaps", use("farthest", {y: c}), use("(25)", {y: c}), use("(6)", {x: c, z: e}),
            use("edge", {u: c, v: e}), use("G", {u: c, v: e}), use("G", {u: c + D(c), v: e}),
            use("whole", {x: c, z: d, y: m}))),
        step("leftwards", implies(d < c, far <= D(m)), arithmetic(
            "no gaps", use("farthest", {y: e}), use("(25)", {y: e}), use("(6)", {x: e, z: d}),
            use("edge", {u: e, v: d}), use("G", {u: d, v: e}), use("G", {u: d, v: e - D(e)}),
            use("whole", {x: c, z: d, y: m}))),
        step("longest", D(m) <= far, arithmetic(
            use("(25)", {y: m}), use("F <= G", {u: m}), use("G <= F", {u: m}),
            use("G", {u: m + far, v: m + D(m) - 1}), use("G", {u: m - D(m) + 1, v: m - far}),
            use("whole", {x: c, z: d, y: m}))),
        step("equal", far == D(m), arithmetic("rightwards", "leftwards", "longest")),
    ],
)
real = refuted(
    words="Real steps (the shortest as a lower limit, where there is no least one)",
    given={"farthest": farthest, "(25)": equal and real_steps, "(6)": plan_6, "no gaps": no_gaps},
    statement=far == D(m), instance=instance(X=[0, 1], c=1, d=0, e=0, m=0, pi={(1, 0): 1}, D={}),
)
Claim(
    id="M39", source=paper("multi-user", "Lemma 1"), result=BOTH_READINGS,
    words="The largest distance in the support of the plan (6) is the largest step (25)",
    readings=[whole, real],
)
