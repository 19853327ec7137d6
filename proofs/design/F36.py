"""F36: how far apart the mixed differences of min(F, G) can be other than 0, by steps (17)."""
from pfverify.proof.language import *

(u, v), M = variables("u v"), constants("M")
(x, z, a, k), (o, n) = indices("x z a k", "X"), member("o n", "X")
P, Q, D = masses("P Q D")
F, G = total(P(a) * indicator(u - a), a), total(Q(a) * indicator(v - a), a)
entry = difference(difference(minimum(F, G), u, x), v, z)
F_x, G_x = at(F, {u: x}), at(G, {v: x})
reaches = (implies(F_x > G_x, F_x <= at(G, {v: x + D(x)}))
           and implies(F_x < G_x, at(G, {v: x - D(x)}) <= F_x))
up, back = F_x <= at(G, {v: x + M}), at(G, {v: x - 1 - M}) <= at(F, {u: x - 1})

Claim(
    id="F36", source=paper("design", "F36"), result=PROVED,
    words="If F(x) is at most G(x + D(x)), or G(x - D(x)) at most F(x), for every whole letter x, "
          "and D is at most M, the mixed differences of min(F, G) are 0 where |x - x'| >= M + 1",
    printed=proved(
        given={"letters": is_chain([a, k], [o, n]), "steps": reaches, "most": D(x) <= M},
        example=instance(M=1, X=[0, 1, 2], o=0, n=2, P={0: 1/2, 1: 1/2}, Q={1: 1/2, 2: 1/2},
                         D={0: 1, 1: 1}),
        statement=implies(abs(x - z) >= M + 1, entry == 0),
        steps=[
            step("F", implies(u <= v, F <= at(F, {u: v})),
                 theorem("F13", {"h": 1, "k": a}, use("letters", {k: x}))),
            step("G", implies(u <= v, at(G, {v: u}) <= G),
                 theorem("F13", {"h": 1, "k": a, "P": Q}, use("letters", {k: x}))),
            step("within M", up and back, theorem("F36b", {}, "letters", "steps", "most")),
            step("far", implies(abs(x - z) >= M + 1, entry == 0), arithmetic(
                "within M", use("G", {u: x + M, v: z - 1}), use("G", {u: z, v: x - 1 - M}),
                use("F", {u: x - 1, v: x}), use("G", {u: z - 1, v: z}))),
        ],
    ),
    breaks=[
        edit("drop steps", "within M", instance(
            M=0, X=[0, 1], o=0, n=1, P={0: 1}, Q={1: 1}, D={})),
        edit("drop letters", "F"),
    ],
)
