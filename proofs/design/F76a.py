"""F76: up to the least ratio of the masses of X all outputs together are the worst event.

k(x, y) is the density of the output given x with respect to any law S (masses too): any noise, and
any number of outputs.

Symbols:
E: e^epsilon, or any other factor
x: an atom
y: an output
P, Q: masses of two priors
k: the density of the output given the value of X
p, q: its densities under the two priors
most: a bound of the densities
"""
from pfverify.proof.language import *

(E, most), x, y = constants("E most"), indices("x", "X"), draws("y", "S")
P, Q, k, p, q = masses("P Q k p q")
of_P, of_Q = total(P(x) * k(x, y), x), total(Q(x) * k(x, y), x)
H = mean(maximum(p(y) - E * q(y), 0), y)

Claim(
    id="F76a", source=paper("design", "F76"), result=PROVED,
    words="Where E Q(x) <= P(x) at every x, as where E is at most the least P(x)/Q(x), p - E q is "
          "never negative, and H_E of the outputs is 1 - E, whatever the noise",
    printed=proved(
        given={"ratio": E * Q(x) <= P(x), "p": p(y) == of_P, "q": q(y) == of_Q,
               "bounds": k(x, y) <= most and p(y) <= most and q(y) <= most,
               "laws": mean(k(x, y), y) == 1, "priors": total(P(x), x) == 1 == total(Q(x), x)},
        example=instance(E=1/2, most=2, X=[0, 1], S=law({0: 1/2, 1: 1/2}), P={"else": 1/2},
                         Q={0: 1}, k={(0, 0): 2, (1, 1): 2}, p={"else": 1}, q={0: 2}),
        statement=H == 1 - E,
        steps=[
            step("never", E * of_Q <= of_P, termwise(arithmetic("ratio"), x)),
            step("excess", maximum(p(y) - E * q(y), 0) == of_P - E * of_Q, arithmetic(
                "never", "p", "q")),
            step("mean", H == mean(of_P - E * of_Q, y), integrate("excess", y)),
            step("P", total(P(x) * mean(k(x, y), y), x) == total(P(x), x), integrate(
                "laws", x, weight=P(x))),
            step("Q", total(Q(x) * mean(k(x, y), y), x) == total(Q(x), x), integrate(
                "laws", x, weight=Q(x))),
            step("all", H == 1 - E, arithmetic("mean", "P", "Q", "priors")),
        ],
    ),
    breaks=[edit("drop ratio", "never"), edit("drop laws", "P"), edit("drop priors", "all")],
)
