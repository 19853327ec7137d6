"""F43: on a lattice steps that never decrease hide no point that has its output for itself.

y + g(y) is what all steps make of y, `suppressed` a number below all others, and names numbers in
their order.

Symbols:
c: a point of the lattice
h: its step
x, y, z: numbers before the steps
g: how far the steps move them
"""
from pfverify.proof.language import *

c, h, (x, y, z), g = constants("c"), positive("h"), variables("x y z"), functions("g")
image, image_c = x + g(x), c + g(c)
alone = implies(image == image_c, c - h < x and x < c + h)

Claim(
    id="F43g", source=paper("design", "F43"), result=PROVED,
    words="Where steps never decrease, a point of a lattice that shares its output with neither "
          "neighbour shares it with no other point",
    printed=proved(
        given={"rises": implies(y <= z, y + g(y) <= z + g(z)),
               "before": c - h + g(c - h) < image_c, "behind": image_c < c + h + g(c + h)},
        example=instance(c=0, h=1, g={"else": 0}),
        statement=alone,
        steps=[
            step("left", implies(x <= c - h, image < image_c),
                 arithmetic(use("rises", {y: x, z: c - h}), "before")),
            step("right", implies(c + h <= x, image_c < image),
                 arithmetic(use("rises", {y: c + h, z: x}), "behind")),
            step("all", alone, arithmetic("left", "right")),
        ],
    ),
    breaks=[edit("drop rises", "left"), edit("drop behind", "right")],
)
