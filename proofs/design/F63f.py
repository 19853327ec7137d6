"""F63: finitely many checks decide that most <= E least, and so p <= E q, at every output.

The neighbours b and d are any two turning points next to each other, o and n the first and the
last. a, C, c are those of F63b, f(t) and m(t) those of F63a.

Symbols:
rho: one over the scale
E: e^epsilon
r, s: how far mass of the one centre and of the other moves at most
b, d: two neighbouring turning points
o, n: the first and the last
y: an output
v: where an excess is looked at
t: what is drawn
x: an atom of the one centre
z: an atom of the other
P, Q: masses of the two centres
g, h: the atoms that mass moves from
f, m: the places that it moves to
"""
from pfverify.proof.language import *

(rho, E), (r, s, b, d, o, n) = positive("rho E"), constants("r s b d o n")
(y, v), t, x, z = variables("y v"), draws("t", "T"), indices("x", "X"), indices("z", "Z")
(P, Q), (f, g, h, m) = masses("P Q"), functions("f g h m")
near, far = exp(-rho * maximum(abs(y - x) - r, 0)), exp(-rho * (abs(y - z) + s))
most, least = total(P(x) * near, x), total(Q(z) * far, z)
p, q = mean(exp(-rho * abs(y - f(t))), t), mean(exp(-rho * abs(y - m(t))), t)
at_x, at_z = indicator(-abs(g(t) - x)), indicator(-abs(h(t) - z))  # g(t) = x, h(t) = z
left_x, right_x = indicator(b - x - r), indicator(x - r - d)
over_x = indicator(b - x + r) * indicator(x + r - d)
left_z, right_z = indicator(b - z), indicator(z - d)
a_x, c_x = left_x * exp(-rho * (b - x - r)), right_x * exp(-rho * (x - r - b))
a_z, c_z = left_z * exp(-rho * (b - z + s)), right_z * exp(-rho * (z - b + s))
a = total(P(x) * a_x, x) - E * total(Q(z) * a_z, z)
c = total(P(x) * c_x, x) - E * total(Q(z) * c_z, z)
C, end, u = total(P(x) * over_x, x), exp(-rho * (d - b)), exp(-rho * (y - b))
top, bend = a < 0 and C**2 <= 4 * a * c, c <= a or end**2 * a <= c
none = a <= 0 and C <= 0 and c <= 0
rule = a >= 0 or c >= 0 or bend or top or none
bound, private, inside = most <= E * least, p <= E * q, b <= y and y <= d
both, left, right = bound and private, y <= o, n <= y
everywhere = implies(inside, both) and implies(left, both) and implies(right, both)
excess_b, excess_d = a + C + c, a * end + C + c / end
most_o, least_o, before = at(most, {y: o}), at(least, {y: o}), exp(-rho * (o - y))
most_n, least_n, after = at(most, {y: n}), at(least, {y: n}), exp(-rho * (y - n))
fades_left = (most == before * most_o and least == before * least_o
              and most - E * least == before * (most_o - E * least_o))
fades_right = (most == after * most_n and least == after * least_n
               and most - E * least == after * (most_n - E * least_n))
made = implies(inside, most - E * least == a * u + C + c / u and end <= u and u <= 1)

Claim(
    id="F63f", source=paper("design", "F63"), result=PROVED,
    words="If most <= E least at every turning point, and between any two neighbours a condition "
          "of F63c holds, then p <= E q for any two laws of the balls: between neighbours, before "
          "the first turning point and after the last",
    printed=proved(
        given={"piece": b < d, "r": r >= 0, "no x - r inside": x - r <= b or d <= x - r,
               "no x + r inside": x + r <= b or d <= x + r, "no z inside": z <= b or d <= z,
               "first": o <= x - r, "last": x + r <= n, "first of Q": o <= z, "last of Q": z <= n,
               "at b": at(bound, {y: b}), "at d": at(bound, {y: d}), "at o": at(bound, {y: o}),
               "at n": at(bound, {y: n}), "rule": rule,
               "reach": abs(f(t) - g(t)) <= r, "reach of Q": abs(m(t) - h(t)) <= s,
               "an atom": total(at_x, x) == 1, "an atom of Q": total(at_z, z) == 1,
               "law": mean(at_x, t) == P(x), "law of Q": mean(at_z, t) == Q(z)},
        example=instance(rho=1/4, E=8, r=1, s=1, b=0, d=1, o=-1, n=2, X=[0, 1], Z=[1],
                         T=law({0: 1/2, 1: 1/2}), P={0: 1/2, 1: 1/2}, Q={1: 1}, g={0: 0, 1: 1},
                         f={0: 1, 1: 1}, h={0: 1, 1: 1}, m={0: 1, 1: 2}),
        statement=everywhere,
        steps=[
            step("F63b", made, theorem(
                "F63b", {}, "piece", "r", "no x - r inside", "no x + r inside", "no z inside")),
            step("of b", excess_b <= 0, arithmetic("piece", "at b", use("F63b", {y: b}))),
            step("of d", excess_d <= 0, arithmetic("piece", "at d", use("F63b", {y: d}))),
            step("v", implies(end <= v and v <= 1, v > 0), arithmetic()),
            step("F63c", implies(end <= v and v <= 1, a * v + C + c / v <= 0), theorem(
                "F63c", {"t": end, "a": a, "C": C, "c": c, "u": v}, "of b", "of d", "rule")),
            step("inside", implies(inside, bound), arithmetic("F63b", use("F63c", {v: u}))),
            step("F63d", implies(left, fades_left) and implies(right, fades_right), theorem(
                "F63d", {}, "r", "first", "last", "first of Q", "last of Q")),
            step("outside", implies(left, bound) and implies(right, bound), arithmetic(
                "F63d", "at o", "at n")),
            step("F63a", implies(bound, private), theorem(
                "F63a", {}, "reach", "reach of Q", "an atom", "an atom of Q", "law", "law of Q")),
            step("all", everywhere, arithmetic("inside", "outside", "F63a")),
        ],
    ),
    meaning=[s >= 0, E > 1],
    breaks=[
        edit("drop piece", "F63b"), edit("drop r", "F63b"), edit("drop no x - r inside", "F63b"),
        edit("drop no x + r inside", "F63b"), edit("drop no z inside", "F63b"),
        edit("drop at b", "of b"), edit("drop at d", "of d"), edit("drop rule", "F63c"),
        edit("drop first", "F63d"), edit("drop last of Q", "F63d"),
        edit("drop at o", "outside"), edit("drop reach", "F63a"),
    ],
)
