"""F63: with Laplace noise no law of a ball releases more than most, and none less than least.

The ball is of the infinite Wasserstein distance on the line: mass of a centre moves at most r, or s
for the other centre, here to finitely many places (to any: F63a). pi and tau say how much moves
whereto. Densities stand without their factor rho/2; most(y) is the sum of P(x) e^(-rho d) with
d = max(|y - x| - r, 0), least(y) that of Q(z) e^(-rho d) with d = |y - z| + s.

Symbols:
rho: one over the scale
E: e^epsilon
r, s: how far mass of the one centre and of the other moves at most
y: an output
x: an atom of the one centre
v: an atom of a law that its mass moves to
z: an atom of the other centre
w: an atom of a law that its mass moves to
P, Q: masses of the two centres
pi: the mass that moves from x to v
tau: the mass that moves from z to w
"""
from pfverify.proof.language import *

(rho, E), (r, s), y = positive("rho E"), constants("r s"), variables("y")
x, v, z, w = indices("x", "X"), indices("v", "V"), indices("z", "Z"), indices("w", "W")
P, Q, pi, tau = masses("P Q pi tau")
near, far = exp(-rho * maximum(abs(y - x) - r, 0)), exp(-rho * (abs(y - z) + s))
at_v, at_w = exp(-rho * abs(y - v)), exp(-rho * abs(y - w))
most, least = total(P(x) * near, x), total(Q(z) * far, z)
p, q = total(total(pi(x, v), x) * at_v, v), total(total(tau(z, w), z) * at_w, w)

Claim(
    id="F63", source=paper("design", "F63"), result=PROVED,
    words="What mass releases at y once it has moved at most r from the atoms of P is at most "
          "most(y), what it releases having moved at most s from those of Q is at least least(y); "
          "where most(y) <= E least(y), p(y) <= E q(y)",
    printed=proved(
        given={"all of P": P(x) == total(pi(x, v), v), "all of Q": Q(z) == total(tau(z, w), w),
               "reach": pi(x, v) == 0 or abs(x - v) <= r,
               "reach of Q": tau(z, w) == 0 or abs(z - w) <= s},
        example=instance(rho=1, E=8, r=1, s=1, X=[0], V=[0, 1], Z=[0, 1], W=[0], P={0: 1},
                         Q={0: 1/2, 1: 1/2}, pi={(0, 0): 1/2, (0, 1): 1/2},
                         tau={(0, 0): 1/2, (1, 0): 1/2}),
        statement=p <= most and least <= q and implies(most <= E * least, p <= E * q),
        steps=[
            step("near", abs(x - v) > r or at_v <= near, arithmetic()),
            step("far", abs(z - w) > s or far <= at_w, arithmetic()),
            step("moved", total(pi(x, v) * at_v, x, v) <= total(pi(x, v) * near, x, v), termwise(
                arithmetic("reach", "near"), x, v)),
            step("moved Q", total(tau(z, w) * far, z, w) <= total(tau(z, w) * at_w, z, w), termwise(
                arithmetic("reach of Q", "far"), z, w)),
            step("most", most == total(pi(x, v) * near, v, x), integrate(
                "all of P", x, weight=near)),
            step("least", least == total(tau(z, w) * far, w, z), integrate(
                "all of Q", z, weight=far)),
            step("all", p <= most and least <= q and implies(most <= E * least, p <= E * q),
                 arithmetic("moved", "moved Q", "most", "least")),
        ],
    ),
    meaning=[total(P(x), x) == 1, total(Q(z), z) == 1, r >= 0, s >= 0, E > 1],
    breaks=[
        edit("drop reach", "moved"), edit("drop reach of Q", "moved Q"),
        edit("drop all of P", "most"), edit("drop all of Q", "least"),
    ],
)
