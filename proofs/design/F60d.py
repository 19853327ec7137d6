"""F60: with Laplace noise the members with most and least mass near an atom decide all.

top(a) and bottom(a) are what those members release at an atom a (F60, F60b, F60c). The alphabet has
at least two atoms, and u and v are any neighbours; the order of the secrets is one.

Symbols:
theta: the scale
E: e^epsilon
y: an output
x, a: atoms of the alphabet
o, n: the first and the last atom
u, v: neighbouring atoms
P, Q: masses of a member of each family
top: what the members of the one family release at most at an atom
bottom: what those of the other release at least there
"""
from pfverify.proof.language import *

(theta, E), y, (x, a) = positive("theta E"), variables("y"), indices("x a", "X")
(o, n, u, v), (P, Q), (top, bottom) = member("o n u v", "X"), masses("P Q"), functions("top bottom")
k, before = exp(-abs(y - x) / theta), exp(-(o - y) / theta)
p, q = total(P(x) * k, x), total(Q(x) * k, x)
p_a, q_a, private = at(p, {y: a}), at(q, {y: a}), p <= E * q
inside, left, right = u <= y and y <= v, y <= o, n <= y
everywhere = implies(inside, private) and implies(left, private) and implies(right, private)

Claim(
    id="F60d", source=paper("design", "F60"), result=PROVED,
    words="If at every atom of the alphabet the most that members of one family release is at most "
          "E times the least that those of the other release, p <= E q for any two members: at "
          "every atom, between neighbours, before the first and after the last",
    printed=proved(
        given={"first": o <= x, "last": x <= n, "neighbours": u < v,
               "none between": x <= u or v <= x, "most": p_a <= top(a), "least": bottom(a) <= q_a,
               "bound": top(a) <= E * bottom(a)},
        example=instance(theta=1, E=2, X=[0, 1], o=0, n=1, u=0, v=1, P={"else": 1/2},
                         Q={"else": 1/2}, top={"else": 1}, bottom={"else": 1/2}),
        statement=p_a <= E * q_a and everywhere,
        steps=[
            step("atoms", p_a <= E * q_a, arithmetic("most", "least", "bound")),
            step("F1", implies(inside, private) and implies(right, private), theorem(
                "F1", {"a": u, "b": v, "c": n}, "neighbours", "none between", "last",
                use("atoms", {a: u}), use("atoms", {a: v}), use("atoms", {a: n}))),
            step("p left", implies(left, p == before * at(p, {y: o})), termwise(
                arithmetic("first"), x, weight=P(x))),
            step("q left", implies(left, q == before * at(q, {y: o})), termwise(
                arithmetic("first"), x, weight=Q(x))),
            step("left", implies(left, private), arithmetic(
                "p left", "q left", use("atoms", {a: o}))),
            step("all", p_a <= E * q_a and everywhere, arithmetic("atoms", "F1", "left")),
        ],
    ),
    meaning=[total(P(x), x) == 1, total(Q(x), x) == 1, E > 1],
    breaks=[
        edit("drop most", "atoms"), edit("drop least", "atoms"), edit("drop bound", "atoms"),
        edit("drop neighbours", "F1"), edit("drop none between", "F1"),
        edit("drop first", "p left"), edit("drop last", "F1"),
    ],
)
