"""F74: H of all that one X makes is at most what a coupling has in the mean, atom by atom.

X has finitely many values; k(x, y) is the density of the output, such as that of all releases of
one X, with respect to any law S (masses too). pi may couple only parts of P and Q: r is what P has
without a partner, of which an event may have all.

Symbols:
E: e^epsilon, or any other factor
P, Q: masses of two priors
x, z: values of X
y: an output
pi: a coupling of the priors, or of parts of them
r: what is left of P
k: the density of an output given the value of X
p, q: its densities under the two priors
most: a bound of the densities (with respect to the mean of those given x: their number)
"""
from pfverify.proof.language import *

(E, most), (x, z), y = constants("E most"), indices("x z", "X"), draws("y", "S")
P, Q, pi, r, k, p, q = masses("P Q pi r k p q")
H, pair = mean(maximum(p(y) - E * q(y), 0), y), maximum(k(x, y) - E * k(z, y), 0)
of_P, of_Q = total(P(x) * k(x, y), x), total(Q(z) * k(z, y), z)
first, second = total(pi(x, z) * k(x, y), x, z), total(pi(x, z) * k(z, y), x, z)
coupled, rest = total(pi(x, z) * pair, x, z), total(r(x) * k(x, y), x)
bound = total(pi(x, z) * mean(pair, y), x, z) + total(r(x), x)

Claim(
    id="F74", source=paper("design", "F74"), result=PROVED,
    words="H of two priors of one X is at most the sum over a coupling of its mass times H of the "
          "two values of X, and all that P has without a partner",
    printed=proved(
        given={"E": 0 <= E, "bounds": k(x, y) <= most and p(y) <= most and q(y) <= most,
               "p": p(y) == of_P, "q": q(y) == of_Q, "laws": mean(k(x, y), y) == 1,
               "rows": total(pi(x, z), z) + r(x) == P(x), "columns": total(pi(x, z), x) <= Q(z)},
        example=instance(E=1, most=2, S=law({0: 1/2, 1: 1/2}), X=[0, 1], P={0: 1}, Q={1: 1},
                         pi={(0, 1): 1/2}, r={0: 1/2}, k={(0, 0): 2, (1, 1): 2}, p={0: 2},
                         q={1: 2}),
        statement=H <= bound, steps=[
            step("P", first + rest == of_P, integrate("rows", x, weight=k(x, y))),
            step("Q", second <= of_Q, integrate("columns", z, weight=k(z, y))),
            step("pairs", first - E * second <= coupled, termwise(arithmetic(), x, z)),
            step("some", 0 <= coupled, termwise(arithmetic(), x, z)),
            step("left", 0 <= rest, termwise(arithmetic(), x)),
            step("at y", maximum(p(y) - E * q(y), 0) <= coupled + rest, arithmetic(
                "E", "P", "Q", "p", "q", "pairs", "some", "left")),
            step("mean", H <= mean(coupled + rest, y), integrate("at y", y)),
            step("of r", total(r(x) * mean(k(x, y), y), x) == total(r(x), x), integrate(
                "laws", x, weight=r(x))),
            step("all", H <= bound, arithmetic("mean", "of r")),
        ],
    ),
    breaks=[
        edit("drop E", "at y"), edit("drop rows", "P"), edit("drop columns", "Q"),
        edit("drop laws", "of r"), edit("drop p", "at y"), edit("drop q", "at y"),
    ],
)
