"""F61: averages of laws meet what all pairs of the laws meet.

The laws P(v, .) and Q(w, .) are those of one belief each, v and w. What the noise does is in c: at
an atom x the chance of one event, or the density at one output (delta is 0 then).

Symbols:
E: e^epsilon
delta: the delta of the bound
x: an atom
v: a law under the one secret
w: a law under the other
L: the weight of a law under the one secret
M: the weight of a law under the other
P: masses of the laws under the one secret
Q: masses of the laws under the other
c: the chance of the event at an atom
"""
from pfverify.proof.language import *

E, delta, x = positive("E"), constants("delta"), indices("x", "X")
v, w, (L, M, P, Q), c = indices("v", "V"), indices("w", "W"), masses("L M P Q"), functions("c")
p_v, q_w = total(P(v, x) * c(x), x), total(Q(w, x) * c(x), x)
p, q = total(total(L(v) * P(v, x), v) * c(x), x), total(total(M(w) * Q(w, x), w) * c(x), x)
both = L(v) * M(w)

Claim(
    id="F61", source=paper("design", "F61"), result=PROVED,
    words="If p_v <= E q_w + delta for one event and every pair of finitely many laws, it holds "
          "for every average of the one laws against every average of the other ones",
    open="that all laws of a family are averages of its extreme ones (Minkowski's theorem): F61b "
         "to F61e show one step of it each",
    printed=proved(
        given={"pairs": p_v <= E * q_w + delta, "weights": total(L(v), v) == 1 == total(M(w), w)},
        example=instance(E=2, delta=1/4, X=[0, 1], V=[0, 1], W=[0], L={"else": 1/2}, M={0: 1},
                         P={(0, 0): 1, (1, 1): 1}, Q={(0, 0): 1/2, (0, 1): 1/2},
                         c={0: 1, 1: 1/2}),
        statement=p <= E * q + delta,
        steps=[
            step("each", both * p_v <= both * (E * q_w + delta), arithmetic("pairs")),
            step("sum", total(both * p_v, v, w) <= total(both * (E * q_w + delta), v, w), integrate(
                "each", v, w)),
            step("all", p <= E * q + delta, arithmetic("sum", "weights")),
        ],
    ),
    breaks=[
        edit("drop pairs", "each", instance(
            E=1, delta=0, X=[0], V=[0], W=[0], L={0: 1}, M={0: 1}, P={(0, 0): 1}, Q={},
            c={0: 1})),
        edit("drop weights", "all", instance(
            E=1, delta=0, X=[0], V=[0], W=[0], L={0: 1}, M={}, P={(0, 0): 1}, Q={(0, 0): 1},
            c={0: 1})),
    ],
)
