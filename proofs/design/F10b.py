"""F10: on the line the plan without crossings is cheapest for every Monge cost."""
from pfverify.proof.language import *

h = positive("h")
(x, z, u, v, a, k), (o, n) = indices("x z u v a k", "X"), member("o n", "X")
pi, rho = masses("pi rho")
c = functions("c")
low, left = indicator(u - h - x), indicator(v - h - z)  # the letters up to u - h, v - h
more = rho(x, z) - pi(x, z)
F, G = total(pi(x, z) * low, x, z), total(pi(x, z) * left, x, z)
J, J_rho = total(pi(x, z) * low * left, x, z), total(rho(x, z) * low * left, x, z)
w = c(u - h, v) + c(u, v - h) - c(u, v) - c(u - h, v - h)  # saved by not crossing
inner = indicator(u - h - o) * indicator(v - h - o)  # neither u nor v is the first letter

Claim(
    id="F10b", source=paper("design", "F10"), result=PROVED,
    words="If crossing two edges between neighbours never makes them cheaper, the plan with the "
          "distribution function min(F, G) is cheapest, on the letters o, o + h, ..., n",
    printed=proved(
        given={
            "letters": is_chain([a, k], [o, n], h), "plan": J == minimum(F, G),
            "first prior": total(more, z) == 0, "second prior": total(more, x) == 0,
            "Monge": implies(u != o and v != o, w >= 0),
        },
        example=instance(
            h=1, X=[0, 1, 2], o=0, n=2, pi={(0, 1): 1/2, (1, 2): 1/2},
            rho={(0, 2): 1/2, (1, 1): 1/2},
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
            step("saved", total(w * inner * J_rho, u, v) <= total(w * inner * J, u, v), integrate(
                "corner", u, v, weight=w * inner, using=["Monge", use("letters", {k: u}),
                                                         use("letters", {k: v})])),
            step("Monge cost", c(x, z) == c(x, n) + c(n, z) - c(n, n)
                 - total(w * inner * low * left, u, v), theorem("F10f", {}, "letters")),
            step("f", total(more * c(x, n), x, z) == 0,
                 integrate("first prior", x, weight=c(x, n))),
            step("g", total(more * (c(n, z) - c(n, n)), x, z) == 0,
                 integrate("second prior", z, weight=c(n, z) - c(n, n))),
            step("costs", total(more * c(x, z), x, z)
                 == total(more * (c(x, n) + c(n, z) - c(n, n)), x, z)
                 - total(w * inner * (J_rho - J), u, v),
                 integrate("Monge cost", x, z, weight=more)),
            step("cheapest", 0 <= total(more * c(x, z), x, z),
                 arithmetic("saved", "f", "g", "costs")),
        ],
    ),
    breaks=[edit("drop Monge", "saved")],
)
