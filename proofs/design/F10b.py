"""F10: on the line the plan without crossings is cheapest for every Monge cost."""
from pfverify.proof.language import *

h, (s, t) = positive("h"), variables("s t")
(x, z, u, v, a, k), (o, n) = indices("x z u v a k", "X"), member("o n", "X")
(pi, rho), c = masses("pi rho"), functions("c")
low, left, before = indicator(s - x), indicator(t - z), {s: u - h, t: v - h}
more = rho(x, z) - pi(x, z)
F, G = total(pi(x, z) * low, x, z), total(pi(x, z) * left, x, z)
J, J_rho = total(pi(x, z) * low * left, x, z), total(rho(x, z) * low * left, x, z)
w = c(u - h, v) + c(u, v - h) - c(u, v) - c(u - h, v - h)  # saved by not crossing
inner = indicator(u - h - o) * indicator(v - h - o)  # neither u nor v is the first letter
cost, saved = total(more * c(x, z), x, z), -total(w * inner * at(J_rho - J, before), u, v)

Claim(
    id="F10b", source=paper("design", "F10"), result=PROVED,
    words="If crossing two edges between neighbours never makes them cheaper, the plan with the "
          "distribution function min(F, G) is cheapest, on the letters o, o + h, ..., n",
    printed=proved(
        given={
            "letters": is_chain([a, k], [o, n], h), "plan": at(J == minimum(F, G), before),
            "first prior": total(more, z) == 0, "second prior": total(more, x) == 0,
            "Monge": implies(u != o and v != o, w >= 0),
        },
        example=instance(
            h=1, X=[0, 1, 2], o=0, n=2, pi={(0, 1): 1/2, (1, 2): 1/2},
            rho={(0, 2): 1/2, (1, 1): 1/2},
            c={(0, 1): 1, (1, 0): 1, (1, 2): 1, (2, 1): 1, (0, 2): 4, (2, 0): 4, "else": 0}),
        statement=0 <= cost,
        steps=[
            step("corner", J_rho <= minimum(F, G), theorem(
                "F29", {"u": s, "v": t}, "first prior", "second prior")),
            step("saved", 0 <= saved, termwise(arithmetic(
                "plan", use("corner", before), "Monge", use("letters", {k: u}),
                use("letters", {k: v})), u, v)),
            step("costs", cost == saved, theorem(
                "F10i", {}, "letters", "first prior", "second prior")),
            step("cheapest", 0 <= cost, arithmetic("saved", "costs")),
        ],
    ),
    breaks=[
        edit("drop Monge", "saved", instance(
            h=1, X=[0, 1], o=0, n=1, pi={(0, 0): 1/2, (1, 1): 1/2}, rho={(0, 1): 1/2, (1, 0): 1/2},
            c={(0, 0): 1, (1, 1): 1, "else": 0})),
    ],
)
