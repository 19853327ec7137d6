"""Theorem 4 (16), (17): private with any others for whole letters and steps, not for real ones."""
from pfverify.proof.language import *
from settings.steps import *

scale_16, grow = largest and theta * epsilon == D(m), exp(abs(x - z) / theta)
is_plan = entry >= 0 and total(entry, z) == P(x) and total(entry, x) == Q(z)
as_plan = {"E": E, "pi": maps(x, z, entry), "u": maps(x, 0), "v": maps(z, 0), "w": maps(z, 0)}
whole = proved(
    words="Whole letters without gaps, whole steps",
    given={"letters": is_chain([a, k], [o, n]), "(17)": whole_17, "(16)": scale_16,
           "laws": total(P(a), a) == 1 and total(Q(a), a) == 1,
           "whole": abs(x - z) <= D(m) or abs(x - z) >= D(m) + 1},
    example=instance(theta=1, epsilon=1, X=[0, 1, 2], o=0, n=2, m=0, P={0: 1/2, 1: 1/2},
                     Q={1: 1/2, 2: 1/2}, D={0: 1, 1: 1}, Rest=law({0: 1/2, 1: 1/2})),
    statement=private, steps=[
        step("plan", is_plan, theorem("F10c", {"h": 1}, "letters", "laws")),
        step("far", implies(abs(x - z) >= D(m) + 1, entry == 0), theorem(
            "F36", {"M": D(m)}, "letters", "(17)", "(16)")),
        step("columns", total(entry * grow, x) <= E * total(entry, x), termwise(
            arithmetic("plan", "far", "whole", "(16)"), x)),
        step("own P", own_P <= E * own_Q, theorem("F9LP", as_plan, "plan", "columns")),
        step("own Q", own_Q <= E * own_P, theorem("F9LP", as_plan, "plan", "columns")),
        step("P", from_P <= E * from_Q, integrate(use("own P", {y: y - r}), r)),
        step("Q", from_Q <= E * from_P, integrate(use("own Q", {y: y - r}), r)),
    ],
)
real = refuted(
    words="Real steps (the shortest as a lower limit, where there is no least one): for the laws "
          "of Table 4 in the other order the largest is 1",
    given={"(17)": real_17, "(16)": scale_16}, statement=private, at={y: 5},
    problem=problem({2: 3/40, 3: 1/2, 4: 9/40, 5: 1/5}, {1: 1/5, 2: 9/40, 3: 1/2, 4: 3/40},
                    epsilon="log(2)", scale="1/log(2)"),
    instance=instance(m=2, D={2: 1, 4: 1}, Rest=law({0: 1})),
    binds={"X": "atoms", "P": "a", "Q": "b", "theta": "scale", "epsilon": "epsilon"},
)
Claim(
    id="M25", source=paper("multi-user", "(16), (17)"), result=BOTH_READINGS,
    words="Laplace noise whose scale is the largest step (17) over epsilon hides which of two laws "
          "P and Q a user's report has, whatever the others report",
    readings=[whole, real],
    breaks=[
        edit("drop (17)", "far", instance(
            theta=1, epsilon=1, X=[0, 1, 2], o=0, n=2, m=0, P={0: 1}, Q={2: 1},
            D={0: 1, 1: 1}, Rest=law({0: 1}))),
        edit("drop (16)", "far", instance(
            theta=1, epsilon=1, X=[0, 1, 2], o=0, n=2, m=2, P={0: 1}, Q={2: 1},
            D={0: 2, 1: 1}, Rest=law({0: 1}))),
        edit("drop letters", "plan"),
    ],
)
