"""F8: a translation by mu of a law that holds a share of another one, with Laplace noise.

A is the law with density a to the law W. c(u) is the chance of an event when the data is u, with
Laplace noise c(u) <= e^(|u-v|/b) c(v).
"""
from pfverify.proof.language import *

b, E, kept = positive("b E kept")
mu, (u, v) = constants("mu"), variables("u v")
x, (a, c) = draws("x", "W"), masses("a c")
P, Q, all_of_A = mean(c(x + mu), x), mean(a(x) * c(x), x), mean(a(x), x)
private = P <= E * Q + 1 - kept and Q <= E * P + 1 - kept

Claim(
    id="F8d", source=paper("design", "F8"), result=PROVED,
    words="If kept times the law A is at most the law W, the releases from W, translated by mu "
          "with |mu| <= epsilon b, and from A are (epsilon, 1 - kept)-private, both ways",
    printed=proved(
        given={"less": a(x) <= 1 / kept, "mass": all_of_A == 1, "event": c(u) <= 1,
               "Laplace": c(u) <= exp(abs(u - v) / b) * c(v), "scale": exp(abs(mu) / b) <= E},
        example=instance(b=1, mu=1, E=3, kept=1/2, W=law({0: 1/2, 1: 1/2}), a={0: 2}, c={}),
        statement=private,
        steps=[
            step("to", c(x + mu) <= E * c(x),
                 arithmetic("scale", use("Laplace", {u: x + mu, v: x}))),
            step("fro", c(x) <= E * c(x + mu),
                 arithmetic("scale", use("Laplace", {u: x, v: x + mu}))),
            step("share", kept * a(x) <= 1, arithmetic("less")),
            step("P", P <= kept * E * Q + 1 - kept * all_of_A, termwise(
                arithmetic("share", "to", use("event", {u: x + mu})), x)),
            step("Q", kept * Q <= E * P, termwise(arithmetic("share", "fro"), x)),
            step("at most 1", Q <= all_of_A, integrate(use("event", {u: x}), x, weight=a(x))),
            step("at least 0", 0 <= Q, termwise(arithmetic(), x)),
            step("share 1", kept * all_of_A <= 1, integrate("share", x)),
            step("all", private, arithmetic("P", "Q", "at most 1", "at least 0", "share 1",
                                            "mass")),
        ],
    ),
    breaks=[
        edit("drop Laplace", "to", instance(
            b=1, mu=1, E=3, kept=1, W=law({0: 1}), a={0: 1}, c={1: 1})),
        edit("drop mass", "all", instance(
            b=1, mu=0, E=3/2, kept=1/2, W=law({0: 1}), a={}, c={"else": 1})),
    ],
)
