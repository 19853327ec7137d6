"""Proof of Proposition 3.2: f does not grow with theta, and falls if the column has distance."""
from pfverify.proof.language import *

(theta, larger, E), (x, z), pi = positive("theta larger E"), indices("x z", "X"), masses("pi")
f = total((exp(abs(x - z) / theta) - E) * pi(x, z), x)
f_larger = at(f, {theta: larger})
far, near = exp(abs(x - z) / theta), exp(abs(x - z) / larger)
distance = total(abs(x - z) * pi(x, z), x)  # > 0 exactly if there is mass off the diagonal
gap = 1 / theta - 1 / larger
halves = instance(theta=1, larger=2, E=3, X=[0, 1], pi={(0, 0): 1/2, (0, 1): 1/2})

Claim(
    id="N15", source=paper("noise-reduction", "Proposition 3.2, proof"), result=PROVED,
    words="The column sum f is a decreasing function of theta: it does not grow with theta",
    printed=proved(
        given={"order": theta <= larger}, example=halves, statement=f_larger <= f,
        steps=[
            step("each pair", near <= far, arithmetic("order")),
            step("column", f_larger <= f, integrate("each pair", x, weight=pi(x, z))),
        ],
    ),
    tighter=proved(
        words="It decreases strictly exactly if the column has mass off the diagonal",
        given={"order": theta < larger}, example=halves,
        statement=iff(f_larger < f, distance > 0),
        steps=[
            step("each pair", abs(x - z) * gap <= far - near,
                 arithmetic("order", hints=[exp(abs(x - z) * gap)])),
            step("column", distance * gap <= f - f_larger,
                 integrate("each pair", x, weight=pi(x, z))),
            step("mass", 0 <= abs(x - z) * pi(x, z), arithmetic()),
            step("one pair", abs(x - z) * pi(x, z) <= distance, one_term("mass", {x: x})),
            step("no distance", implies(distance == 0, pi(x, z) * far == pi(x, z) * near),
                 arithmetic("one pair", "mass")),
            step("constant", implies(distance == 0, f == f_larger), integrate("no distance", x)),
            step("exactly if", iff(f_larger < f, distance > 0),
                 arithmetic("column", "constant", "one pair", "mass", "order")),
        ],
    ),
    breaks=[
        edit("order = larger <= theta", "each pair",
             instance(theta=2, larger=1, E=3, X=[0, 1], pi={(0, 1): 1})),
    ],
)
