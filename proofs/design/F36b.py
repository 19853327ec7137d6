"""F36: steps from F to G, at whole letters, bound one of them by the other moved by the largest."""
from pfverify.proof.language import *

(u, v, s), M = variables("u v s"), constants("M")
(x, a, k), (o, n, g) = indices("x a k", "X"), member("o n g", "X")
P, Q, D = masses("P Q D")
F, G = total(P(a) * indicator(u - a), a), total(Q(a) * indicator(v - a), a)
F_x, G_x = at(F, {u: x}), at(G, {v: x})
reaches = (implies(F_x > G_x, F_x <= at(G, {v: x + D(x)}))
           and implies(F_x < G_x, at(G, {v: x - D(x)}) <= F_x))
back = at(G, {v: s - M}) <= at(F, {u: s})
both, up = back and at(back, {s: s - 1}), F_x <= at(G, {v: x + M})

Claim(
    id="F36b", source=paper("design", "F36"), result=PROVED,
    words="If F(x) is at most G(x + D(x)), or G(x - D(x)) at most F(x), for every whole letter x, "
          "and D is at most M, then F(x) <= G(x + M), and G(x - M) <= F(x) also just before x",
    printed=proved(
        given={"letters": is_chain([a, k], [o, n]), "steps": reaches, "most": D(x) <= M},
        example=instance(M=1, X=[0, 1], o=0, n=1, P={0: 1}, Q={1: 1}, D={0: 1}),
        statement=up and at(both, {s: x}),
        steps=[
            step("G", implies(u <= v, at(G, {v: u}) <= G),
                 theorem("F13", {"h": 1, "k": a, "P": Q}, use("letters", {k: x}))),
            step("ends", at(G, {v: o - 1}) == 0, theorem(
                "F13b", {"h": 1, "k": a, "P": Q}, use("letters", {a: n, k: a}))),
            step("F >= 0", 0 <= F, theorem("F13b", {"h": 1, "k": a}, use("letters", {a: n, k: a}))),
            step("up", up, arithmetic(
                "steps", "most", use("G", {u: x + D(x), v: x + M}), use("G", {u: x, v: x + M}))),
            step("down", at(back, {s: x}), arithmetic(
                "steps", "most", use("G", {u: x - M, v: x - D(x)}), use("G", {u: x - M, v: x}))),
            step("first", at(both, {s: o}), arithmetic(
                use("down", {x: o}), "ends", use("F >= 0", {u: o - 1}), use("most", {x: o}),
                use("G", {u: o - 1 - M, v: o - 1}))),
            step("before x", at(both, {s: x}), induction("letters", "first", x, both, s, g, [
                step("next", at(both, {s: g}), arithmetic("before", use("down", {x: g})))])),
        ],
    ),
    breaks=[
        edit("drop most", "up", instance(M=0, X=[0, 1], o=0, n=1, P={0: 1}, Q={1: 1}, D={0: 1})),
        edit("drop steps", "up", instance(M=0, X=[0, 1], o=0, n=1, P={0: 1}, Q={1: 1}, D={})),
    ],
)
