"""F74: the same for X of any law, and any coupling: the pair of values is made of a draw w.

f(w, y) and g(w, y) are the densities of the output, with respect to any law S, given the values of
X in the pair: bounded ones are what this is about. E may be any number.

Symbols:
E: e^epsilon, or any other factor
w: what the pair of values of X is made of
y: an output
f, g: densities of the output given the two values of X
p, q: densities of the output under the two priors
most: a bound of the densities
"""
from pfverify.proof.language import *

(E, most), w, y = constants("E most"), draws("w", "Pairs"), draws("y", "S")
f, g, p, q = masses("f g p q")
excess, H = maximum(f(w, y) - E * g(w, y), 0), mean(maximum(p(y) - E * q(y), 0), y)
bounds = f(w, y) <= most and g(w, y) <= most and p(y) <= most and q(y) <= most

Claim(
    id="F74c", source=paper("design", "F74"), result=PROVED,
    words="H of two priors of one X, of any laws, is at most the mean over any coupling of H of "
          "the two values of X",
    printed=proved(
        given={"bounds": bounds, "p": p(y) == mean(f(w, y), w), "q": q(y) == mean(g(w, y), w)},
        example=instance(E=1, most=2, Pairs=law({0: 1/2, 1: 1/2}), S=law({0: 1/2, 1: 1/2}),
                         f={(0, 0): 2, (1, 1): 2}, g={(0, 1): 2, (1, 1): 2}, p={"else": 1},
                         q={1: 2}),
        statement=H <= mean(mean(excess, y), w),
        steps=[
            step("pairs", mean(f(w, y), w) - E * mean(g(w, y), w) <= mean(excess, w), termwise(
                arithmetic(), w)),
            step("some", 0 <= mean(excess, w), termwise(arithmetic(), w)),
            step("at y", maximum(p(y) - E * q(y), 0) <= mean(excess, w), arithmetic(
                "p", "q", "pairs", "some")),
            step("all", H <= mean(mean(excess, y), w), integrate("at y", y)),
        ],
    ),
    breaks=[edit("drop p", "at y"), edit("drop q", "at y")],
)
