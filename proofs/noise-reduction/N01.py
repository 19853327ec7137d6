"""(1)-(3): the ratio form of privacy; Laplace noise has mass 1, mean 0, variance 2 theta^2."""
from pfverify.proof.language import *

theta, E, p, q = positive("theta E p q")
v = variables("v")
x = indices("x", "X")
P = masses("P")
density = exp(-abs(v) / theta) / (2 * theta)
left, right = exp(v / theta) / (2 * theta), exp(-v / theta) / (2 * theta)
mass = integral(left, v, -oo, 0) + integral(right, v, 0, oo)
average = integral(v * left, v, -oo, 0) + integral(v * right, v, 0, oo)
square = integral(v**2 * left, v, -oo, 0) + integral(v**2 * right, v, 0, oo)
halves = implies(v <= 0, density == left) and implies(v >= 0, density == right)
ratio = iff(1 / E <= p / q and p / q <= E, p <= E * q and q <= E * p)
MSE = total(P(x) * square, x)

Claim(
    id="N01", source=paper("noise-reduction", "(1)-(3)"), result=PROVED,
    words="Bounding the ratio is bounding two differences; the mean squared error is 2 theta^2",
    open="(2) is taken as the definition of the density of a sum of independent variables",
    printed=proved(
        given={"prior": total(P(x), x) == 1},
        example=instance(theta=2, E=3, p=1, q=2, X=[0, 1], P={0: 1/2, 1: 1/2}),
        statement=ratio and halves and mass == 1 and average == 0 and MSE == 2 * theta**2,
        steps=[
            step("ratio", ratio, arithmetic()),
            step("halves", halves, arithmetic()),
            step("mass left", integral(left, v, -oo, 0) == 1/2, antiderivative(left * theta)),
            step("mass right", integral(right, v, 0, oo) == 1/2, antiderivative(-right * theta)),
            step("mean left", integral(v * left, v, -oo, 0) == -theta / 2,
                 antiderivative((v * theta - theta**2) * left)),
            step("mean right", integral(v * right, v, 0, oo) == theta / 2,
                 antiderivative(-(v * theta + theta**2) * right)),
            step("square left", integral(v**2 * left, v, -oo, 0) == theta**2,
                 antiderivative((v**2 * theta - 2 * v * theta**2 + 2 * theta**3) * left)),
            step("square right", integral(v**2 * right, v, 0, oo) == theta**2,
                 antiderivative(-(v**2 * theta + 2 * v * theta**2 + 2 * theta**3) * right)),
            step("square", square == 2 * theta**2, arithmetic("square left", "square right")),
            step("MSE", MSE == 2 * theta**2, arithmetic("square", "prior")),
            step("all", ratio and halves and mass == 1 and average == 0 and MSE == 2 * theta**2,
                 arithmetic("ratio", "halves", "mass left", "mass right", "mean left",
                            "mean right", "MSE")),
        ],
    ),
    breaks=[
        edit("drop prior", "MSE"),
    ],
)
