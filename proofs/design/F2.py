"""F2: Laplace noise of a larger scale is that of a smaller one plus independent noise.

f(v) and g(v) are the chances of an event moved by v, or the densities at v, from two priors with
Laplace(s) noise; N is any law of further noise.
"""
from pfverify.proof.language import *

(s, t, E), (delta, y, c) = positive("s t E"), constants("delta y c")
v, n, (f, g) = variables("v"), draws("n", "N"), functions("f g")
k_s, k_t, r = exp(-y / s) / (2 * s), exp(-y / t) / (2 * t), s**2 / t**2
left = exp(-(y - v) / s) * exp(v / t) / (4 * s * t)
middle = exp(-(y - v) / s) * exp(-v / t) / (4 * s * t)
right = exp((y - v) / s) * exp(-v / t) / (4 * s * t)
u, w, a = 1 / s + 1 / t, 1 / s - 1 / t, 1 / (4 * (s + t))
density = k_t == r * k_s + (1 - r) * (
    integral(left, v, -oo, 0) + integral(middle, v, 0, y) + integral(right, v, y, oo))
mix_f = r * f(y) + (1 - r) * mean(f(y - n), n)
mix_g = r * g(y) + (1 - r) * mean(g(y - n), n)

Claim(
    id="F2", source=paper("design", "F2"), result=PROVED,
    words="For s < t the Laplace(t) density is r Laplace(s) + (1 - r) Laplace(s) * Laplace(t) with "
          "r = s^2/t^2 in (0, 1), and such a mixture keeps every bound f <= E g + delta of shifts",
    printed=proved(
        given={"scales": s < t, "y >= 0": y >= 0, "bounds": abs(f(v)) <= c and abs(g(v)) <= c,
               "private at s": f(v) <= E * g(v) + delta},
        example=instance(s=1, t=2, E=2, delta=0, y=0, c=0, N=law({0: 1}),
                         f={"else": 0}, g={"else": 0}),
        statement=density and 0 < r and r < 1 and mix_f <= E * mix_g + delta,
        steps=[
            step("weights", w > 0 and 0 < r and r < 1, arithmetic("scales")),
            step("to 0", integral(left, v, -oo, 0) == a * exp(-y / s), antiderivative(left / u)),
            step("between", integral(middle, v, 0, y)
                 == (exp(-y / t) - exp(-y / s)) / (4 * s * t * w), antiderivative(middle / w)),
            step("after", integral(right, v, y, oo) == a * exp(-y / t), antiderivative(-right / u)),
            step("density", density, arithmetic("to 0", "between", "after", "weights")),
            step("mixture", mix_f <= E * mix_g + delta, theorem(
                "F2a", {"r": r}, "weights", "bounds", "private at s")),
        ],
    ),
    breaks=[
        edit("drop scales", "weights", instance(
            s=1, t=1, E=2, delta=0, y=0, c=0, N=law({0: 1}), f={"else": 0}, g={"else": 0})),
    ],
)
