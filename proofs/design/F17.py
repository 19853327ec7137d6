"""F17: Laplace noise hides an independent variable Z in a sum if E e^(|Z|/b) <= e^epsilon.

P is the law of the other summand, N that of Z: any laws.
"""
from pfverify.proof.language import *

b, E = positive("b E")
y = variables("y")
x, z = draws("x", "P"), draws("z", "N")
near, far = exp(-abs(y - x) / b), exp(-abs(y - x - z) / b)
slow, fast = exp(-abs(z) / b), exp(abs(z) / b)
without, there = mean(near, x), mean(far, x, z)  # 2b times the density, without and with Z

Claim(
    id="F17", source=paper("design", "F17"), result=PROVED,
    words="If E e^(|Z|/b) is at most e^epsilon, the releases with and without the independent "
          "variable Z are at most e^epsilon times each other, everywhere",
    printed=proved(
        given={"exists": integrable(fast, z), "moment": mean(fast, z) <= E},
        example=instance(b=1, E=8, P=law({0: 1}), N=law({0: 1/2, 1: 1/2})),
        statement=there <= E * without and without <= E * there,
        steps=[
            step("at most", there <= without * mean(fast, z), termwise(arithmetic(), x, z)),
            step("at least", without * mean(slow, z) <= there, termwise(arithmetic(), x, z)),
            step("Jensen", 2 / E - mean(fast, z) / E**2 <= mean(slow, z),
                 termwise(arithmetic(), z)),
            step("positive", 0 <= without, termwise(arithmetic(), x)),
            step("kept", 1 <= E * mean(slow, z), arithmetic("Jensen", "moment")),
            step("with", there <= E * without, arithmetic("at most", "moment", "positive")),
            step("back", without <= E * there, arithmetic("at least", "kept", "positive")),
        ],
    ),
    breaks=[
        edit("drop moment", "kept", instance(
            b=1, E=2, P=law({0: 1}), N=law({3: 1})), {y: 0}),
        edit("fast = exp(abs(z) / (2 * b))", "at most", instance(
            b=1, E=2, P=law({0: 1}), N=law({1: 1})), {y: 1}),
        edit("drop exists", "moment"),
    ],
)
