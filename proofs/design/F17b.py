"""F17: with Laplace noise the release of any law has a density, the mean of that of the noise.

B is an event: B(y) is the chance that y is counted, 0 or 1 for a plain one.
"""
from pfverify.proof.language import *

b, (v, y) = positive("b"), variables("v y")
x, B = draws("x", "P"), masses("B")
k, k_x = exp(-abs(y - v) / b) / (2 * b), exp(-abs(y - x) / b) / (2 * b)
chance, chance_x = integral(B(y) * k, y, -oo, oo), integral(B(y) * k_x, y, -oo, oo)
released = integral(mean(B(y) * k_x, x), y, -oo, oo)
by_density = integral(B(y) * mean(k_x, x), y, -oo, oo)

Claim(
    id="F17b", source=paper("design", "F17"), result=PROVED,
    words="The chance of an event, the mean over the data of the noise's chance of it, is the "
          "integral over it of the mean of the noise's density",
    printed=proved(
        given={"event": B(y) <= 1}, example=instance(b=1, B={"else": 1/2}),
        statement=by_density == mean(chance_x, x),
        steps=[
            step("chance", 0 <= chance and chance <= 1,
                 theorem("G27", {"x": v}, "event", part="tighter")),
            step("small", abs(chance_x) <= 1, arithmetic(use("chance", {v: x}))),
            step("exists", abs(mean(chance_x, x)) <= mean(1, x), dominated("small")),
            step("positive", 0 <= B(y) * k_x, arithmetic()),
            step("Tonelli", released == mean(chance_x, x), tonelli("positive")),
            step("factor", B(y) * mean(k_x, x) == mean(B(y) * k_x, x), identity()),
            step("same", by_density == released, integrate("factor", y, between=(-oo, oo))),
            step("density", by_density == mean(chance_x, x), arithmetic("Tonelli", "same")),
        ],
    ),
    breaks=[edit("drop event", "chance")],
)
