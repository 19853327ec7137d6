"""F71: masses at finitely many losses bound H from above if they do at these losses, and at 0.

Between neighbours: F71a, beyond the last one: F71b. At E = 0 H is 1, and h the sum of all masses.

Symbols:
v: any number
k, i: positions of losses
o, n, m: the first position, the last one and another one
"""
from pfverify.proof.language import *
from settings.losses import *

v, (k, i), (o, n, m) = variables("v"), indices("k i", "Losses"), member("o n m", "Losses")
there = at(below, {E: exp(l(v))}) and implies(i <= v, l(i) <= l(v))
up_to, e_o, e_n = there and implies(E <= exp(l(v)), below), exp(l(o)), exp(l(n))
e_m, e_back, u = exp(l(m)), exp(l(m - 1)), exp(-l(j))

Claim(
    id="F71", source=paper("design", "F71"), result=PROVED,
    words="If masses at finitely many losses, also an infinite one, have h >= H at E = 0 and at E "
          "= e^l for each loss l, then h >= H at every E >= 0",
    printed=proved(
        given={"positions": is_chain([i, k], [o, n]), "E": 0 <= E,
               "grow": implies(i <= k, l(i) <= l(k)), "bounds": bounds,
               "at 0": at(below, {E: 0}), "at losses": at(below, {E: exp(l(k))})},
        example=instance(E=1/2, a_inf=1/4, most=2, Losses=[0, 1], o=0, n=1, l={"else": 0},
                         a={0: 1/2, 1: 1/4}, S=law({0: 1}), p={0: 3/4}, q={0: 3/4}),
        statement=below, steps=[
            step("first", implies(0 <= E <= e_o, below), theorem(
                "F71a", {"A": 0, "B": e_o}, "bounds", "at 0", use("at losses", {k: o}), use(
                    "grow", {i: o, k: j}), use("positions", {k: j}))),
            step("o", at(up_to, {v: o}), arithmetic(
                "first", "E", use("at losses", {k: o}), use("grow", {k: o}))),
            step("up to k", at(up_to, {v: k}), induction("positions", "o", k, up_to, v, m, [
                step("gap", 1 <= e_back * u or e_m * u <= 1, arithmetic(
                    use("before", {i: j}), use("grow", {i: m, k: j}), use(
                        "positions", {i: j, k: m}))),
                step("piece", implies(e_back <= E <= e_m, below), theorem("F71a", {
                    "A": e_back, "B": e_m}, "gap", "bounds", "before", use("at losses", {k: m}))),
                step("next", at(up_to, {v: m}), arithmetic(
                    "before", "piece", use("at losses", {k: m}), use("grow", {k: m})))])),
            step("last", implies(e_n <= E, below), theorem("F71b", {"A": e_n}, "bounds", use(
                "grow", {i: j, k: n}), use("positions", {k: j}), use("at losses", {k: n}))),
            step("all", below, arithmetic("last", use("up to k", {k: n}))),
        ],
    ),
    breaks=[
        edit("drop grow", "first"), edit("drop at 0", "first"), edit("drop positions", "first"),
        edit("drop at losses", "first"), edit("drop E", "o"),
    ],
)
