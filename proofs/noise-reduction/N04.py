"""(5)-(7): the difference of the two densities along a plan, bounded column by column."""
from pfverify.proof.language import *

theta, E = positive("theta E")
y = variables("y")
x, z = indices("x z", "X")
pi = masses("pi")
P, Q = total(pi(x, z), z), total(pi(x, z), x)
far, near = exp(-abs(y - x) / theta) / (2 * theta), exp(-abs(y - z) / theta) / (2 * theta)
p, q = total(P * far, x), total(Q * near, z)
shift, grow = exp((abs(y - z) - abs(y - x)) / theta), exp(abs(x - z) / theta)
bound = total(near * (grow - E) * pi(x, z), x, z)
five = p - E * q == total((far - E * near) * pi(x, z), x, z)
factored = total((far - E * near) * pi(x, z), x, z) == total(near * (shift - E) * pi(x, z), x, z)
six = total(near * (shift - E) * pi(x, z), x, z) <= bound
seven = bound == total(near * total((grow - E) * pi(x, z), x), z)

Claim(
    id="N04", source=paper("noise-reduction", "(5)-(7)"), result=PROVED,
    words="For every plan on finitely many points: the two equations, the bound by the triangle "
          + "inequality, and its form by columns",
    printed=proved(
        statement=five and factored and six and seven,
        steps=[
            step("(5)", five, identity()),
            step("kernel taken out", factored, identity()),
            step("triangle", near * (shift - E) <= near * (grow - E), arithmetic()),
            step("(6)", six, integrate("triangle", x, z, weight=pi(x, z))),
            step("(7)", seven, identity()),
        ],
    ),
    breaks=[
        edit("grow = exp(abs(x - z) / (2 * theta))", "triangle",
             instance(theta=1, E=2, X=[0, 1], pi={(0, 1): 1}), {y: 0}),
    ],
)
