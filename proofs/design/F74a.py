"""F74: if X is known under each secret, what a coupling has in the mean is H itself.

k(x, y) is the density of the output with respect to any law S (masses too).

Symbols:
E: e^epsilon, or any other factor
a, b: the value of X under the two secrets
P, Q: masses of X, all at these
x, z: values of X
y: an output
pi: a coupling of the priors
k: the density of an output given the value of X
p, q: its densities under the two priors
most: a bound of the densities
"""
from pfverify.proof.language import *

(E, most), (x, z), y = constants("E most"), indices("x z", "X"), draws("y", "S")
(a, b), (P, Q, pi, k, p, q) = member("a b", "X"), masses("P Q pi k p q")
excess, H = maximum(k(x, y) - E * k(z, y), 0), mean(maximum(p(y) - E * q(y), 0), y)
of_P, of_Q = total(P(x) * k(x, y), x), total(Q(z) * k(z, y), z)
pair, of_points = mean(excess, y), mean(at(excess, {x: a, z: b}), y)

Claim(
    id="F74a", source=paper("design", "F74"), result=PROVED,
    words="Where P and Q are points the bound that a coupling gives is H itself: their only "
          "coupling is the pair of the points",
    printed=proved(
        given={"bounds": k(x, y) <= most and p(y) <= most and q(y) <= most, "p": p(y) == of_P,
               "q": q(y) == of_Q, "P": implies(x != a, P(x) == 0), "at a": P(a) == 1,
               "Q": implies(z != b, Q(z) == 0), "at b": Q(b) == 1,
               "rows": total(pi(x, z), z) == P(x), "columns": total(pi(x, z), x) == Q(z)},
        example=instance(E=1, most=2, S=law({0: 1/2, 1: 1/2}), X=[0, 1], a=0, b=1, P={0: 1},
                         Q={1: 1}, pi={(0, 1): 1}, k={(0, 0): 2, (1, 1): 2}, p={0: 2}, q={1: 2}),
        statement=H == of_points and total(pi(x, z) * pair, x, z) == of_points,
        steps=[
            step("of P", of_P == k(a, y) * P(a), single("P", x, weight=k(x, y))),
            step("of Q", of_Q == k(b, y) * Q(b), single("Q", z, weight=k(z, y))),
            step("H", H == of_points, termwise(arithmetic(
                "p", "q", "of P", "of Q", "at a", "at b"), y)),
            step("at y", total(pi(x, z) * excess, x, z) == at(excess, {x: a, z: b}), theorem(
                "F74b", {"g": maps(x, z, excess)}, "P", "at a", "Q", "rows", "columns")),
            step("pairs", total(pi(x, z) * pair, x, z) == of_points, integrate("at y", y)),
            step("all", H == of_points and total(pi(x, z) * pair, x, z) == of_points, arithmetic(
                "H", "pairs")),
        ],
    ),
    breaks=[
        edit("drop P", "of P"), edit("drop at a", "H"), edit("drop at b", "H"),
        edit("drop rows", "at y"), edit("drop columns", "at y"),
    ],
)
