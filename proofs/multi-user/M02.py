"""(2), (3): the Laplace density, the convolution that the release has for a density, the variance.

X, of any law P, and the noise are independent: an event has the mean, over X, of its chance at X.
"""
from pfverify.proof.language import *

theta, (y, v) = positive("theta"), variables("y v")
x, B = draws("x", "P"), masses("B")  # B(v): the chance that v is counted, 0 or 1 for a plain event
noise, moved = exp(-abs(v) / theta) / (2 * theta), exp(-abs(y - x) / theta) / (2 * theta)
released = integral(B(y) * mean(moved, x), y, -oo, oo) == mean(
    integral(B(y) * moved, y, -oo, oo), x)
mass, average = integral(noise, v, -oo, oo), integral(v * noise, v, -oo, oo)
variance = integral(v**2 * noise, v, -oo, oo)  # the mean is 0

Claim(
    id="M02", source=paper("multi-user", "(2), (3)"), result=PROVED,
    words="(2) is a density of mean 0 and variance 2 theta^2, and the release has the density (3)",
    printed=proved(
        given={"event": B(v) <= 1}, example=instance(theta=2, P=law({0: 1/2, 1: 1/2}), B={}),
        statement=mass == 1 and average == 0 and variance == 2 * theta**2 and released,
        steps=[
            step("(2)", mass == 1, theorem("F24", {"a": 1, "b": 0, "c": 0, "x": 0, "y": v})),
            step("mean", average == 0, theorem("F24", {"a": 0, "b": 1, "c": 0, "x": 0, "y": v})),
            step("variance", variance == 2 * theta**2,
                 theorem("F24", {"a": 0, "b": 0, "c": 1, "x": 0, "y": v})),
            step("(3)", released, theorem("F17b", {"b": theta, "y": v}, "event")),
        ],
    ),
    breaks=[
        edit("variance = 2 * integral(v**2 * noise, v, -oo, oo)", "variance"),
        edit("noise = exp(-abs(v) / theta) / theta", "(2)"),
        edit("drop event", "(3)"),
    ],
)
