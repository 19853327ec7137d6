"""Proof of Proposition 3.2: f does not grow with theta, and falls if the column has distance."""
from pfverify.proof.language import *
from settings.releases import *

larger = positive("larger")
gap = 1 / theta - 1 / larger
f_larger = at(f, {theta: larger})
distance = total(abs(x - z) * pi(x, z), x)  # > 0 exactly if there is mass off the diagonal
halves = instance(theta=1, larger=2, E=3, X=[0, 1], pi={(0, 0): 1/2, (0, 1): 1/2})

Claim(
    id="N15", source=paper("noise-reduction", "Proposition 3.2, proof"), result=PROVED,
    words="The column sum f is a decreasing function of theta: it does not grow with theta",
    meaning=meant,
    printed=proved(
        given={"order": theta <= larger}, example=halves, statement=f_larger <= f,
        steps=[
            step("column", f_larger <= f, termwise(arithmetic("order"), x, weight=pi(x, z))),
        ],
    ),
    tighter=proved(
        words="It decreases strictly exactly if the column has mass off the diagonal",
        given={"order": theta < larger}, example=halves,
        statement=iff(f_larger < f, distance > 0),
        steps=[
            step("column", distance * gap <= f - f_larger, termwise(
                arithmetic("order", hints=[exp(abs(x - z) * gap)]), x, weight=pi(x, z))),
            step("mass", 0 <= abs(x - z) * pi(x, z), arithmetic()),
            step("one pair", abs(x - z) * pi(x, z) <= distance, one_term("mass", {x: x})),
            step("constant", implies(distance == 0, f == f_larger),
                 termwise(arithmetic("one pair", "mass"), x)),
            step("exactly if", iff(f_larger < f, distance > 0),
                 arithmetic("column", "constant", "one pair", "mass", "order")),
        ],
    ),
    breaks=[
        edit("order = larger <= theta", "column",
             instance(theta=2, larger=1, E=3, X=[0, 1], pi={(0, 1): 1})),
    ],
)
