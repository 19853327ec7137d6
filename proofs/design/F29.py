"""F29: no plan of two priors has more mass in a corner than min(F, G)."""
from pfverify.proof.language import *

u, v = variables("u v")
x, z = indices("x z", "X")
pi, rho = masses("pi rho")
low, left, more = indicator(u - x), indicator(v - z), rho(x, z) - pi(x, z)
F, G = total(pi(x, z) * low, x, z), total(pi(x, z) * left, x, z)
F_rho, G_rho = total(rho(x, z) * low, x, z), total(rho(x, z) * left, x, z)
J_rho = total(rho(x, z) * low * left, x, z)

Claim(
    id="F29", source=paper("design", "F29"), result=PROVED,
    words="If a plan has the priors of another one, its joint distribution function is at most "
          "min(F, G) for their distribution functions F and G, at every (u, v)",
    printed=proved(
        given={"first prior": total(more, z) == 0, "second prior": total(more, x) == 0},
        example=instance(X=[0, 1], pi={(0, 1): 1/2, (1, 0): 1/2},
                         rho={(0, 0): 1/2, (1, 1): 1/2}),
        statement=J_rho <= minimum(F, G),
        steps=[
            step("F", F_rho - F == 0, integrate("first prior", x, weight=low)),
            step("G", G_rho - G == 0, integrate("second prior", z, weight=left)),
            step("in F", J_rho <= F_rho, termwise(arithmetic(), x, z)),
            step("in G", J_rho <= G_rho, termwise(arithmetic(), x, z)),
            step("both", J_rho <= minimum(F, G), arithmetic("F", "G", "in F", "in G")),
        ],
    ),
    breaks=[
        edit("drop first prior", "F", instance(X=[0, 1], pi={(1, 0): 1}, rho={(0, 0): 1}),
             {u: 0, v: 0}),
        edit("drop second prior", "G", instance(X=[0, 1], pi={(0, 1): 1}, rho={(0, 0): 1}),
             {u: 0, v: 0}),
    ],
)
