"""F31: the density of any data with Laplace noise integrates to 1 and is positive everywhere."""
from pfverify.proof.language import *

b, (y, u, v) = positive("b"), variables("y u v")
x = draws("x", "P")  # the data, of any law
k, k_u = exp(-abs(y - x) / b) / (2 * b), exp(-abs(y - u) / b) / (2 * b)
q, q_v, noise = mean(k, x), mean(at(k, {y: v}), x), integral(k, y, -oo, oo)
whole, none = integral(q, y, -oo, oo), integral(0, y, -oo, oo)

Claim(
    id="F31", source=paper("design", "F31"), result=PROVED,
    words="The release of any law with Laplace noise has a density that integrates to 1, exceeds "
          "0 everywhere, and changes from v to y by a factor of at most e^(|y-v|/b)",
    printed=proved(
        statement=whole == 1 and q_v > 0 and q <= exp(abs(y - v) / b) * q_v,
        steps=[
            step("noise", integral(k_u, y, -oo, oo) == 1, theorem("F20", {"x": u})),
            step("small", abs(noise) <= 1, arithmetic(use("noise", {u: x}))),
            step("exists", abs(mean(noise, x)) <= mean(1, x), dominated("small")),
            step("in the mean", mean(noise, x) == 1, integrate(use("noise", {u: x}), x)),
            step("positive", 0 <= k, arithmetic()),
            step("Tonelli", whole == mean(noise, x), tonelli("positive")),
            step("whole", whole == 1, arithmetic("Tonelli", "in the mean")),
            step("near", q <= exp(abs(y - v) / b) * q_v, termwise(arithmetic(), x)),
            step("if 0 at v", implies(q_v <= 0, q <= 0), arithmetic("near")),
            step("none", none == 0, antiderivative(0)),
            step("no mass", implies(q_v <= 0, whole <= none),
                 integrate("if 0 at v", y, between=(-oo, oo))),
            step("density", q_v > 0, arithmetic("no mass", "none", "whole")),
        ],
    ),
    breaks=[
        edit("k = exp(-abs(y - x) / b) / b", "small"),
        edit("near = q <= q_v", "near", instance(b=1, P=law({0: 1})), {y: 0, v: 1}),
    ],
)
