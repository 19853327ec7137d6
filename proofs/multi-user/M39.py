"""Lemma 1 (25): right for whole letters without gaps and whole steps, wrong for real steps."""
from pfverify.proof.language import *
from settings.longest_step import *

whole = proved(
    words="Whole letters without gaps, whole steps", statement=far == D(m),
    given={"farthest": edge and n <= D(m), "(25)": defined and whole_steps, "(6)": plan_6,
           "no gaps": no_gaps, "whole": whole_letters},
    example=instance(X=[0, 1, 2], c=1, d=2, e=1, m=1, pi={(0, 0): 1/2, (1, 2): 1/2}, D={1: 1}),
    steps=[
        step("edge", at(above, {x: c, z: d}) <= F - J and at(beside, {x: c, z: d}) <= G - J,
             theorem("F14", {"a": c, "b": d})),
        step("G", implies(u <= v, at(G, {v: u}) <= G), termwise(arithmetic(), x, z)),
        step("F <= G", F <= at(G, {v: u + far}), termwise(arithmetic("farthest"), x, z)),
        step("G <= F", at(G, {v: u - far}) <= F, termwise(arithmetic("farthest"), x, z)),
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
    given={"farthest": edge and n <= D(m), "(25)": defined and real_steps, "(6)": plan_6,
           "no gaps": no_gaps},
    statement=far == D(m), instance=instance(X=[0, 1], c=1, d=0, e=0, m=0, pi={(1, 0): 1}, D={}),
)
Claim(
    id="M39", source=paper("multi-user", "Lemma 1"), result=BOTH_READINGS,
    words="The largest distance in the support of the plan (6) is the largest step (25)",
    readings=[whole, real],
    breaks=[
        edit("drop (25)", "rightwards", instance(
            X=[0, 1], c=0, d=1, e=0, m=0, pi={(0, 1): 1}, D={})),
        edit("drop no gaps", "rightwards"), edit("drop whole", "rightwards"),
    ],
)
