"""F81: Laplace noise that is renormalised in a window of outputs, around one value.

Symbols:
theta: the scale
l, u: the ends of the window
x: the value
y: an output
"""
from pfverify.proof.language import *

theta, (l, u, x), y = positive("theta"), constants("l u x"), variables("y")
C = 1 - exp(-(x - l) / theta) / 2 - exp(-(u - x) / theta) / 2
rise, fall = exp((y - x) / theta) / (2 * theta), exp((x - y) / theta) / (2 * theta)
noise = exp(-abs(y - x) / theta) / (2 * theta)
left, right = integral(rise, y, l, x), integral(fall, y, x, u)
before, behind = implies(y <= x, noise == rise), implies(x <= y, noise == fall)

Claim(
    id="F81", source=paper("design", "F81"), result=PROVED,
    words="Of Laplace noise around a value x of a window [l, u] the mass C(x) = 1 - "
          "e^(-(x-l)/theta)/2 - e^(-(u-x)/theta)/2 > 0 is in it: renormalised there it is the "
          "noise over C(x), and an atom of mass m counts as one of mass m/C(x)",
    printed=proved(
        given={"low": l <= x, "high": x <= u, "some": l < u},
        example=instance(theta=1, l=0, u=3, x=1),
        statement=before and behind and left + right == C and 0 < C,
        steps=[
            step("before", before, arithmetic()),
            step("behind", behind, arithmetic()),
            step("left", left == 1/2 - exp(-(x - l) / theta) / 2, antiderivative(theta * rise)),
            step("right", right == 1/2 - exp(-(u - x) / theta) / 2, antiderivative(-theta * fall)),
            step("C", 0 < C, arithmetic("low", "high", "some", hints=[
                exp(-(x - l) / theta), exp(-(u - x) / theta)])),
            step("all", before and behind and left + right == C and 0 < C,
                 arithmetic("before", "behind", "left", "right", "C")),
        ],
    ),
    breaks=[
        edit("drop some", "C"),
        edit("drop low", "C"),
        edit("C = 1 - exp(-(x - l) / theta) - exp(-(u - x) / theta) / 2", "C"),
    ],
)
