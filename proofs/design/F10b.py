"""F10: on the line the plan without crossings is cheapest for every Monge cost."""
from pfverify.proof.language import *

u, v = indices("u v", "X")
x, z = indices("x z", "X")
pi, rho, w = masses("pi rho w")
c, f, g = functions("c f g")
low, left, more = indicator(u - x), indicator(v - z), rho(x, z) - pi(x, z)
F, G = total(pi(x, z) * low, x, z), total(pi(x, z) * left, x, z)
J, J_rho = total(pi(x, z) * low * left, x, z), total(rho(x, z) * low * left, x, z)
saved = total(w(u, v) * low * left, u, v)

Claim(
    id="F10b", source=paper("design", "F10"), result=PROVED,
    words="If crossing two edges never makes them cheaper, the plan with distribution function "
          "min(F, G) is cheapest: the cost is f(x) + g(x') minus a sum of corners",
    open="that the Monge property, so every convex cost of x - x', has this form",
    printed=proved(
        given={
            "first prior": total(more, z) == 0, "second prior": total(more, x) == 0,
            "plan": J == minimum(F, G), "Monge": c(x, z) == f(x) + g(z) - saved,
        },
        example=instance(
            X=[0, 1, 2], pi={(0, 1): 1/2, (1, 2): 1/2}, rho={(0, 2): 1/2, (1, 1): 1/2},
            w={(0, 0): 2, (0, 1): 2, (1, 0): 2, (1, 1): 2},
            f={0: 4, 1: 1, 2: 0}, g={0: 4, 1: 1, 2: 0},
            c={(0, 1): 1, (1, 0): 1, (1, 2): 1, (2, 1): 1, (0, 2): 4, (2, 0): 4, "else": 0}),
        statement=0 <= total(more * c(x, z), x, z),
        steps=[
            step("F", total(more * low, x, z) == 0, integrate("first prior", x, weight=low)),
            step("G", total(more * left, x, z) == 0, integrate("second prior", z, weight=left)),
            step("in F", rho(x, z) * low * left <= rho(x, z) * low, arithmetic()),
            step("J <= F", J_rho <= total(rho(x, z) * low, x, z), integrate("in F", x, z)),
            step("in G", rho(x, z) * low * left <= rho(x, z) * left, arithmetic()),
            step("J <= G", J_rho <= total(rho(x, z) * left, x, z), integrate("in G", x, z)),
            step("corner", J_rho <= J, arithmetic("plan", "F", "G", "J <= F", "J <= G")),
            step("corners", total(w(u, v) * J_rho, u, v) <= total(w(u, v) * J, u, v),
                 integrate("corner", u, v, weight=w(u, v))),
            step("f", total(more * f(x), x, z) == 0, integrate("first prior", x, weight=f(x))),
            step("g", total(more * g(z), x, z) == 0, integrate("second prior", z, weight=g(z))),
            step("costs", total(more * c(x, z), x, z) == total(more * (f(x) + g(z)), x, z)
                 - total(w(u, v) * (J_rho - J), u, v), integrate("Monge", x, z, weight=more)),
            step("cheapest", 0 <= total(more * c(x, z), x, z),
                 arithmetic("corners", "f", "g", "costs")),
        ],
    ),
)
