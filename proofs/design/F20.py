"""F20: the density of Laplace noise integrates to 1, wherever the data is."""
from pfverify.proof.language import *

b = positive("b")
x, y = variables("x y")
k = exp(-abs(y - x) / b) / (2 * b)
left, right = exp((y - x) / b) / (2 * b), exp((x - y) / b) / (2 * b)
whole, before, after = integral(k, y, -oo, oo), integral(k, y, -oo, x), integral(k, y, x, oo)

Claim(
    id="F20", source=paper("design", "F20"), result=PROVED,
    words="For every x the integral of e^(-|y-x|/b)/(2b) over all y exists and is 1",
    printed=proved(
        statement=whole == 1,
        steps=[
            step("left", integral(left, y, -oo, x) == 1/2, antiderivative(b * left)),
            step("right", integral(right, y, x, oo) == 1/2, antiderivative(-b * right)),
            step("on the left", implies(y <= x, k == left), arithmetic()),
            step("on the right", implies(x <= y, k == right), arithmetic()),
            step("before", before == integral(left, y, -oo, x),
                 integrate("on the left", y, between=(-oo, x))),
            step("after", after == integral(right, y, x, oo),
                 integrate("on the right", y, between=(x, oo))),
            step("sum", whole == before + after, split_integral(x)),
            step("mass", whole == 1, arithmetic("sum", "before", "after", "left", "right")),
        ],
    ),
    breaks=[edit("k = exp(-abs(y - x) / b) / b", "on the left", instance(b=1), {x: 0, y: 0})],
)
