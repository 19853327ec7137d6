"""(9), (11): one inequality per column is enough, for both orders."""
from pfverify.proof.language import *

theta, E = positive("theta E")
y = variables("y")
x, z = indices("x z", "X")
pi = masses("pi")
near, far = exp(-abs(y - z) / theta), exp(-abs(y - x) / theta)
grow, shrink = exp(abs(x - z) / theta), exp(-abs(x - z) / theta)
p, q = total(pi(x, z) * far, x, z), total(pi(x, z) * near, x, z)
Q = total(pi(x, z), x)

Claim(
    id="N09", source=paper("noise-reduction", "(9), (11)"), result=PROVED,
    words="If every column sum of pi(x,x') (e^(|x-x'|/theta) - e^epsilon) is <= 0, both orders "
          "hold",
    symbols={"z": "x'", "E": "e^epsilon"}, meaning=[total(pi(x, z), x, z) == 1, E > 1],
    printed=proved(
        given={"columns": total(pi(x, z) * (grow - E), x) <= 0},
        example=instance(theta=1, E=4, X=[0, 1], pi={(0, 0): 1/2, (1, 1): 1/4, (0, 1): 1/4}),
        statement=p <= E * q and q <= E * p,
        steps=[
            step("triangle", far <= near * grow, arithmetic()),
            step("triangle back", near * shrink <= far, arithmetic()),
            step("tangent", 2 / E - grow / E**2 <= shrink, arithmetic()),
            step("column above", total(pi(x, z) * far, x) <= near * total(pi(x, z) * grow, x),
                 integrate("triangle", x, weight=pi(x, z))),
            step("column bound", total(pi(x, z) * far, x) <= E * near * Q,
                 arithmetic("columns", "column above")),
            step("first order", p <= E * q, integrate("column bound", z)),
            step("column below", near * total(pi(x, z) * shrink, x) <= total(pi(x, z) * far, x),
                 integrate("triangle back", x, weight=pi(x, z))),
            step("Jensen", 2 / E * Q - total(pi(x, z) * grow, x) / E**2
                 <= total(pi(x, z) * shrink, x), integrate("tangent", x, weight=pi(x, z))),
            step("column bound back", near * Q <= E * total(pi(x, z) * far, x),
                 arithmetic("columns", "column below", "Jensen")),
            step("second order", q <= E * p, integrate("column bound back", z)),
            step("both", p <= E * q and q <= E * p, arithmetic("first order", "second order")),
        ],
    ),
    breaks=[
        edit("drop columns", "column bound",
             instance(theta=1, E=2, X=[0, 1], pi={(0, 1): 1}), {y: 0}),
        edit("tangent = 3 / E - grow / E**2 <= shrink", "tangent",
             instance(theta=1, E=2, X=[0, 1], pi={(0, 0): 1}), {x: 0, z: 0, y: 0}),
        edit("columns = total(pi(x, z) * (grow - E), x, z) <= 0", "column bound",
             instance(theta=1, E=3/2, X=[0, 10, 11], pi={(0, 0): 9/10, (10, 11): 1/10}), {y: 10}),
        edit("grow = exp(abs(x - z) / (2 * theta))", "triangle",
             instance(theta=1, E=2, X=[0, 1], pi={(0, 1): 1}), {y: 0}),
        edit("statement = p <= q", "the statement",
             instance(theta=1, E=3, X=[0, 1], pi={(0, 1): 1}), {y: 0}),
    ],
)
