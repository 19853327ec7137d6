"""F63: the same for every law of the ball, with or without a density: t is drawn from any law.

As t is drawn, g(t) is an atom of P and f(t) the place that its mass moves to; h(t) is an atom of Q
and m(t) the place that its mass moves to. Densities stand without their factor rho/2;
most and least are those of F63. That laws in a ball are laws of such f(t) is what a ball is.

Symbols:
rho: one over the scale
E: e^epsilon
r, s: how far mass of the one centre and of the other moves at most
y: an output
t: what is drawn
x: an atom of the one centre
z: an atom of the other
P, Q: masses of the two centres
g, h: the atoms that mass moves from
f, m: the places that it moves to
"""
from pfverify.proof.language import *

(rho, E), (r, s), y, t = positive("rho E"), constants("r s"), variables("y"), draws("t", "T")
x, z, (P, Q) = indices("x", "X"), indices("z", "Z"), masses("P Q")
f, g, h, m = functions("f g h m")
near, far = exp(-rho * maximum(abs(y - x) - r, 0)), exp(-rho * (abs(y - z) + s))
at_x, at_z = indicator(-abs(g(t) - x)), indicator(-abs(h(t) - z))  # g(t) = x, h(t) = z
k_f, k_m = exp(-rho * abs(y - f(t))), exp(-rho * abs(y - m(t)))
p, q, most, least = mean(k_f, t), mean(k_m, t), total(P(x) * near, x), total(Q(z) * far, z)

Claim(
    id="F63a", source=paper("design", "F63"), result=PROVED,
    words="If g(t) has the law P on finitely many atoms and f(t) is at most r from it, the density "
          "p(y) of f(t) with the noise is at most most(y); if h(t) has the law Q and m(t) is at "
          "most s from it, q(y) is at least least(y)",
    printed=proved(
        given={"reach": abs(f(t) - g(t)) <= r, "reach of Q": abs(m(t) - h(t)) <= s,
               "an atom": total(at_x, x) == 1, "an atom of Q": total(at_z, z) == 1,
               "law": mean(at_x, t) == P(x), "law of Q": mean(at_z, t) == Q(z)},
        example=instance(rho=1, E=8, r=1, s=1, X=[0, 1], Z=[1], T=law({0: 1/2, 1: 1/2}),
                         P={0: 1/2, 1: 1/2}, Q={1: 1}, g={0: 0, 1: 1}, f={0: 1, 1: 1},
                         h={0: 1, 1: 1}, m={0: 1, 1: 2}),
        statement=p <= most and least <= q and implies(most <= E * least, p <= E * q),
        steps=[
            step("near", at_x * k_f <= at_x * near, arithmetic("reach")),
            step("near all", total(at_x * k_f, x) <= total(at_x * near, x), integrate("near", x)),
            step("below", k_f <= total(at_x * near, x), arithmetic("near all", "an atom")),
            step("p", p <= mean(total(at_x * near, x), t), integrate("below", t)),
            step("most", total(mean(at_x, t) * near, x) == most, integrate("law", x, weight=near)),
            step("far", at_z * far <= at_z * k_m, arithmetic("reach of Q")),
            step("far all", total(at_z * far, z) <= total(at_z * k_m, z), integrate("far", z)),
            step("above", total(at_z * far, z) <= k_m, arithmetic("far all", "an atom of Q")),
            step("q", mean(total(at_z * far, z), t) <= q, integrate("above", t)),
            step("least", total(mean(at_z, t) * far, z) == least, integrate(
                "law of Q", z, weight=far)),
            step("all", p <= most and least <= q and implies(most <= E * least, p <= E * q),
                 arithmetic("p", "most", "q", "least")),
        ],
    ),
    meaning=[r >= 0, s >= 0, E > 1],
    breaks=[
        edit("drop reach", "near"), edit("drop reach of Q", "far"),
        edit("drop an atom", "below"), edit("drop an atom of Q", "above"),
        edit("drop law", "most"), edit("drop law of Q", "least"),
    ],
)
