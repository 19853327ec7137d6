"""F8: the other order, for X' = X + G with any independent G (normal if both priors are).

P is any law of X, N any law of G with a mean. E e^(-|G|/b) is 2b times the release of G's law at 0,
which F6 has in closed form.
"""
from pfverify.proof.language import *

b = positive("b")
y = variables("y")
x, g = draws("x", "P"), draws("g", "N")
near, far = exp(-abs(y - x) / b), exp(-abs(y - x - g) / b)
p, q, size = mean(near, x), mean(far, x, g), mean(abs(g), g)
kept = mean(exp(-abs(g) / b), g)
statement = kept * p <= q and exp(-size / b) <= kept

Claim(
    id="F8c", source=paper("design", "F8"), result=PROVED,
    words="The release of X is at most that of X + G divided by E e^(-|G|/b), which is at least "
          "e^(-E|G|/b): the log ratio is at most -log E e^(-|G|/b) <= E|G|/b",
    printed=proved(
        given={"E|G|": integrable(abs(g), g)},
        example=instance(b=1, P=law({0: 1}), N=law({-1: 1/2, 2: 1/2})),
        statement=statement,
        steps=[
            step("triangle", near * exp(-abs(g) / b) <= far, arithmetic()),
            step("release", kept * p <= q, integrate("triangle", x, g)),
            step("tangent", exp(-size / b) * (1 + size / b - abs(g) / b) <= exp(-abs(g) / b),
                 arithmetic(hints=[exp(size / b - abs(g) / b)])),
            step("Jensen", exp(-size / b) <= kept, integrate("tangent", g)),
            step("all", statement, arithmetic("release", "Jensen")),
        ],
    ),
    breaks=[edit("drop E|G|", "tangent")],
)
