"""F10: on the line the plan without crossings is cheapest for every convex cost."""
from pfverify.proof.language import *

h, (s, t) = positive("h"), variables("s t")
(x, z, u, v, a, k), (o, n) = indices("x z u v a k", "X"), member("o n", "X")
pi, rho = masses("pi rho")
phi = functions("phi")
low, left = indicator(u - h - x), indicator(v - h - z)  # the letters up to u - h, v - h
more = rho(x, z) - pi(x, z)
F, G = total(pi(x, z) * low, x, z), total(pi(x, z) * left, x, z)

Claim(
    id="F10g", source=paper("design", "F10"), result=PROVED,
    words="On the letters o, o + h, ..., n the plan with distribution function min(F, G) costs no "
          "more than any other, if the cost is a convex function phi of x - x'",
    printed=proved(
        given={
            "letters": is_chain([a, k], [o, n], h),
            "plan": total(pi(x, z) * low * left, x, z) == minimum(F, G),
            "first prior": total(more, z) == 0, "second prior": total(more, x) == 0,
            "convex": 2 * phi(u - v) <= phi(u - v - h) + phi(u - v + h),
        },
        example=instance(h=1, X=[0, 1, 2], o=0, n=2, pi={(0, 1): 1/2, (1, 2): 1/2},
                         rho={(0, 2): 1/2, (1, 1): 1/2},
                         phi={0: 0, 1: 1, -1: 1, 2: 4, -2: 4, 3: 9, -3: 9}),
        statement=0 <= total(more * phi(x - z), x, z),
        steps=[
            step("all", 0 <= total(more * phi(x - z), x, z), theorem(
                "F10b", {"c": maps(s, t, phi(s - t))}, "letters", "plan", "first prior",
                "second prior", "convex")),
        ],
    ),
    breaks=[edit("drop convex", "all")],
)
