"""F70: a part whose H is nowhere smaller makes that of all parts nowhere smaller.

p1, q1 are densities with respect to any law S, p2, q2 with respect to any law T, p3, q3 with
respect to any law U (masses too), with any sums. With the two orders of p2 and p3 it is a bound
from above and one from below. More parts are exchanged one by one.

Symbols:
E, t: e^epsilon, or any other factor
y, z, w: outputs of the parts
p1, q1: densities of a part under the two secrets
p2, q2: those of another part
p3, q3: those of what is put in place of that part
most: a bound of the densities (2, with respect to (P + Q)/2)
"""
from pfverify.proof.language import *

(E, most), t, (y, z) = constants("E most"), variables("t"), (draws("y", "S"), draws("z", "T"))
w, (p1, q1, p2, q2, p3, q3) = draws("w", "U"), masses("p1 q1 p2 q2 p3 q3")
both, other = p1(y) * p2(z) - E * q1(y) * q2(z), p1(y) * p3(w) - E * q1(y) * q3(w)
at_y, other_y = mean(maximum(both, 0), z), mean(maximum(other, 0), w)
second, third = mean(maximum(p2(z) - t * q2(z), 0), z), mean(maximum(p3(w) - t * q3(w), 0), w)
ratio = {t: E * q1(y) / p1(y)}
bounds = (p1(y) <= most and q1(y) <= most and p2(z) <= most and q2(z) <= most
          and p3(w) <= most and q3(w) <= most)

Claim(
    id="F70a", source=paper("design", "F70"), result=PROVED,
    words="If H_t(P2||Q2) <= H_t(P3||Q3) for every t >= 0, H_E(P1 x P2 || Q1 x Q2) is at most "
          "H_E(P1 x P3 || Q1 x Q3) for every E >= 0",
    printed=proved(
        given={"E": 0 <= E, "bounds": bounds, "less": implies(0 <= t, second <= third)},
        example=instance(E=2, most=2, S=law({0: 1}), T=law({0: 1}), U=law({0: 1/2, 1: 1/2}),
                         p1={0: 1}, q1={0: 1}, p2={0: 1}, q2={0: 2}, p3={0: 2}, q3={1: 2}),
        statement=mean(maximum(both, 0), y, z) <= mean(maximum(other, 0), y, w),
        steps=[
            step("none", implies(p1(y) == 0, at_y == 0), termwise(arithmetic("E"), z)),
            step("no other", 0 <= other_y, termwise(arithmetic(), w)),
            step("some", implies(p1(y) > 0, at_y == p1(y) * at(second, ratio)), termwise(
                arithmetic(), z)),
            step("some other", implies(p1(y) > 0, other_y == p1(y) * at(third, ratio)), termwise(
                arithmetic(), w)),
            step("factor", implies(p1(y) > 0, 0 <= E * q1(y) / p1(y)), arithmetic("E")),
            step("at y", at_y <= other_y, arithmetic(
                "none", "no other", "some", "some other", "factor", use("less", ratio))),
            step("all", mean(maximum(both, 0), y, z) <= mean(maximum(other, 0), y, w), integrate(
                "at y", y)),
        ],
    ),
    breaks=[edit("drop E", "none"), edit("drop less", "at y")],
)
