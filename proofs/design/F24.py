"""F24: what Laplace noise, added to x, gives in the mean: a constant, a distance and its square."""
from pfverify.proof.language import *

theta, (a, b, c, x) = positive("theta"), constants("a b c x")
y = variables("y")
w = y - x  # the noise
k, left, right = exp(-abs(w) / theta) / 2, exp(w / theta) / 2, exp(-w / theta) / 2
g = (a + b * w + c * w**2) / theta  # g k is the term times the density k / theta
below, above = integral(g * left, y, -oo, x), integral(g * right, y, x, oo)
whole = integral(g * k, y, -oo, oo)

Claim(
    id="F24", source=paper("design", "F24"), result=PROVED,
    words="The mean of a + b N + c N^2 is a + 2 c theta^2 for Laplace noise N of scale theta: "
          "mass 1, mean 0, variance 2 theta^2",
    printed=proved(
        statement=whole == a + 2 * c * theta**2,
        steps=[
            step("below", below == a / 2 - b * theta / 2 + c * theta**2, antiderivative(
                (a + b * (w - theta) + c * (w**2 - 2 * w * theta + 2 * theta**2)) * left)),
            step("above", above == a / 2 + b * theta / 2 + c * theta**2, antiderivative(
                -(a + b * (w + theta) + c * (w**2 + 2 * w * theta + 2 * theta**2)) * right)),
            step("left of x", implies(y <= x, g * k == g * left), arithmetic()),
            step("right of x", implies(x <= y, g * k == g * right), arithmetic()),
            step("left", integral(g * k, y, -oo, x) == below,
                 integrate("left of x", y, between=(-oo, x))),
            step("right", integral(g * k, y, x, oo) == above,
                 integrate("right of x", y, between=(x, oo))),
            step("sum", whole == integral(g * k, y, -oo, x) + integral(g * k, y, x, oo),
                 split_integral(x)),
            step("whole", whole == a + 2 * c * theta**2,
                 arithmetic("sum", "left", "right", "below", "above")),
        ],
    ),
    breaks=[
        edit("k = exp(-abs(w) / (2 * theta)) / 2", "left of x",
             instance(theta=1, a=1, b=0, c=0, x=0), {y: -1}),
        edit("g = (a + b * w + 2 * c * w**2) / theta", "below"),
    ],
)
