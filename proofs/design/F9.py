"""F9: one side of a coupling suffices, rows as well as columns."""
from pfverify.proof.language import *

theta, E = positive("theta E")
y = variables("y")
x, z = indices("x z", "X")
pi = masses("pi")
near, far = exp(-abs(y - x) / theta), exp(-abs(y - z) / theta)
grow, shrink = exp(abs(x - z) / theta), exp(-abs(x - z) / theta)
p, q = total(pi(x, z) * near, z, x), total(pi(x, z) * far, z, x)
P = total(pi(x, z), z)

Claim(
    id="F9", source=paper("design", "F9"), result=PROVED,
    words="If every row mean of e^(|x-x'|/theta) is at most e^epsilon, both orders hold",
    printed=proved(
        given={"rows": total(pi(x, z) * grow, z) <= E * P},
        example=instance(theta=1, E=4, X=[0, 1], pi={(0, 0): 1/2, (1, 1): 1/4, (0, 1): 1/4}),
        statement=p <= E * q and q <= E * p,
        steps=[
            step("triangle", far <= near * grow, arithmetic()),
            step("triangle back", near * shrink <= far, arithmetic()),
            step("tangent", 2 / E - grow / E**2 <= shrink, arithmetic()),
            step("row above", total(pi(x, z) * far, z) <= near * total(pi(x, z) * grow, z),
                 integrate("triangle", z, weight=pi(x, z))),
            step("row bound", total(pi(x, z) * far, z) <= E * near * P,
                 arithmetic("rows", "row above")),
            step("second order", q <= E * p, integrate("row bound", x)),
            step("row below", near * total(pi(x, z) * shrink, z) <= total(pi(x, z) * far, z),
                 integrate("triangle back", z, weight=pi(x, z))),
            step("Jensen", 2 / E * P - total(pi(x, z) * grow, z) / E**2
                 <= total(pi(x, z) * shrink, z), integrate("tangent", z, weight=pi(x, z))),
            step("row bound back", near * P <= E * total(pi(x, z) * far, z),
                 arithmetic("rows", "row below", "Jensen")),
            step("first order", p <= E * q, integrate("row bound back", x)),
            step("both", p <= E * q and q <= E * p, arithmetic("first order", "second order")),
        ],
    ),
    breaks=[
        edit("drop rows", "row bound", instance(theta=1, E=3/2, X=[0, 1], pi={(0, 1): 1}),
             {y: 1}),
    ],
)
