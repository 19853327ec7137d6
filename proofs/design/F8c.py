"""F8: the other order, for X' = X + G with any independent G (normal if both priors are).

Totals stand for means. E e^(-|G|/b) is 2b times the release of G's law at 0, which F6 has in closed
form.
"""
from pfverify.proof.language import *

b = positive("b")
y = variables("y")
x, g = indices("x", "X"), indices("g", "G")
P, n = masses("P n")
near, far = exp(-abs(y - x) / b), exp(-abs(y - x - g) / b)
p, q = total(P(x) * near, x), total(P(x) * n(g) * far, x, g)
kept, mean = total(n(g) * exp(-abs(g) / b), g), total(n(g) * abs(g), g)
statement = kept * p <= q and exp(-mean / b) <= kept

Claim(
    id="F8c", source=paper("design", "F8"), result=PROVED,
    words="The release of X is at most that of X + G divided by E e^(-|G|/b), which is at least "
          "e^(-E|G|/b): the log ratio is at most -log E e^(-|G|/b) <= E|G|/b",
    printed=proved(
        given={"law of G": total(n(g), g) == 1},
        example=instance(b=1, X=[0], P={0: 1}, G=[-1, 2], n={-1: 1/2, 2: 1/2}),
        statement=statement,
        steps=[
            step("triangle", near * exp(-abs(g) / b) <= far, arithmetic()),
            step("release", kept * p <= q, integrate("triangle", x, g, weight=P(x) * n(g))),
            step("tangent", exp(-mean / b) * (1 + mean / b - abs(g) / b) <= exp(-abs(g) / b),
                 arithmetic(hints=[exp(mean / b - abs(g) / b)])),
            step("Jensen", exp(-mean / b) * ((1 + mean / b) * total(n(g), g) - mean / b) <= kept,
                 integrate("tangent", g, weight=n(g))),
            step("all", statement, arithmetic("release", "Jensen", "law of G")),
        ],
    ),
)
