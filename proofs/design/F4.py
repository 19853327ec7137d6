"""F4: on an atom-free segment the positive part of g has a closed integral with one root."""
from pfverify.proof.language import *

theta, A, B = positive("theta A B")
a, b, r = constants("a b r")
v = variables("v")
rise = A * exp(v / theta) - B * exp(-v / theta)
primitive = theta * (A * exp(v / theta) + B * exp(-v / theta))
low, high = at(primitive, {v: a}), at(primitive, {v: b})
part = integral(rise, v, r, b)

Claim(
    id="F4", source=paper("design", "F4"), result=PROVED,
    words="g = A e^(y/theta) - B e^(-y/theta) is negative before its zero r, positive after it, "
          "and integrates from r to b to the primitive at b less 2 theta sqrt(A B)",
    printed=proved(
        given={"zero": exp(r / theta) * exp(r / theta) == B / A},
        example=instance(theta=1, A=1, B=1, r=0, a=0, b=1),
        statement=part == high - 2 * theta * sqrt(A * B)
        and integral(rise, v, a, b) == high - low
        and implies(v < r, rise < 0) and implies(v > r, rise > 0),
        steps=[
            step("segment", integral(rise, v, a, b) == high - low, antiderivative(primitive)),
            step("from r", part == high - at(primitive, {v: r}), antiderivative(primitive)),
            step("inverse", exp(r / theta) * exp(-r / theta) == 1, identity()),
            step("balance", A * exp(r / theta) == B * exp(-r / theta),
                 arithmetic("zero", "inverse")),
            step("product", A * exp(r / theta) * B * exp(-r / theta) == A * B, identity()),
            step("root", A * exp(r / theta) == sqrt(A * B), arithmetic("balance", "product")),
            step("at r", at(primitive, {v: r}) == 2 * theta * sqrt(A * B),
                 arithmetic("balance", "root")),
            step("value", part == high - 2 * theta * sqrt(A * B), arithmetic("from r", "at r")),
            step("before", implies(v < r, rise < 0), arithmetic("balance")),
            step("after", implies(v > r, rise > 0), arithmetic("balance")),
        ],
    ),
    breaks=[edit("drop zero", "balance", instance(theta=1, A=1, B=1, r=1, a=0, b=1))],
)
