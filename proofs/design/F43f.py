"""F43: steps that never decrease hide no number of an interval that stays what it is.

y + g(y) is what all steps make of y, `suppressed` a number below all others. Single numbers of a
line have no mass, so that the ends do not matter. An event of such outputs has the masses that it
has before the steps, and refutes as it does there.

Symbols:
a, b: the ends of the interval
x, y, z: numbers before the steps
g: how far the steps move them
"""
from pfverify.proof.language import *

(a, b), (x, y, z), g = constants("a b"), variables("x y z"), functions("g")
image = x + g(x)
above, below = (image + b) / 2, (a + image) / 2
within = iff(a < image and image < b, a < x and x < b)

Claim(
    id="F43f", source=paper("design", "F43"), result=PROVED,
    words="Where steps never decrease and leave the numbers between a and b what they are, what "
          "becomes of x lies between a and b just where x does: these outputs are made of these "
          "numbers alone",
    printed=proved(
        given={"rises": implies(y <= z, y + g(y) <= z + g(z)),
               "stays": implies(a < y and y < b, g(y) == 0), "interval": a < b},
        example=instance(a=0, b=1, g={"else": 0}),
        statement=within,
        steps=[
            step("in", implies(a < x and x < b, image == x), arithmetic(use("stays", {y: x}))),
            step("right", implies(b <= x and a < image, b <= image),
                 arithmetic(use("stays", {y: above}), use("rises", {y: above, z: x}))),
            step("left", implies(x <= a and image < b, image <= a),
                 arithmetic(use("stays", {y: below}), use("rises", {y: x, z: below}))),
            step("all", within, arithmetic("in", "right", "left")),
        ],
    ),
    breaks=[edit("drop rises", "right"), edit("drop stays", "in")],
)
