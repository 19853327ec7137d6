"""(1)-(3): the ratio form of privacy, the density of the release, and what Laplace noise costs.

X and the noise are independent: an event has the mean, over X, of its chance when X = x.
"""
from pfverify.proof.language import *

theta, E, p, q = positive("theta E p q")
y, v, x = variables("y"), variables("v"), draws("x", "P")  # X has any law P
B = masses("B")  # the event: B(v) is the chance that v is counted, 0 or 1 for a plain one
noise, density = exp(-abs(v) / theta) / (2 * theta), exp(-abs(y - x) / theta) / (2 * theta)
ratio = iff(1 / E <= p / q and p / q <= E, p <= E * q and q <= E * p)
chance = mean(integral(B(y) * density, y, -oo, oo), x)
released = integral(B(y) * mean(density, x), y, -oo, oo) == chance
mass, average = integral(noise, v, -oo, oo), integral(v * noise, v, -oo, oo)
square = integral(((x + v) - x)**2 * noise, v, -oo, oo)  # the release is x + v
MSE = mean(square, x)

Claim(
    id="N01", source=paper("noise-reduction", "(1)-(3)"), result=PROVED,
    words="Bounding the ratio is bounding two differences; the mean squared error is 2 theta^2",
    meaning=[E > 1],
    printed=proved(
        given={"event": B(v) <= 1},
        example=instance(theta=2, E=3, p=1, q=2, P=law({0: 1/2, 1: 1/2}), B={"else": 1/2}),
        statement=ratio and released and mass == 1 and average == 0 and MSE == 2 * theta**2,
        steps=[
            step("(1)", ratio, arithmetic()),
            step("(2)", released, theorem("F17b", {"b": theta, "y": v}, "event")),
            step("mass", mass == 1, theorem("F24", {"a": 1, "b": 0, "c": 0, "x": 0, "y": v})),
            step("mean", average == 0, theorem("F24", {"a": 0, "b": 1, "c": 0, "x": 0, "y": v})),
            step("square", square == 2 * theta**2,
                 theorem("F24", {"a": 0, "b": 0, "c": 1, "x": 0, "y": v})),
            step("(3)", MSE == 2 * theta**2, integrate("square", x)),
        ],
    ),
    breaks=[
        edit("ratio = iff(p / q <= E, p <= E * q and q <= E * p)", "(1)",
             instance(theta=1, E=2, p=1, q=4, P=law({0: 1}), B={})),
        edit("MSE = 2 * mean(square, x)", "(3)"),
    ],
)
