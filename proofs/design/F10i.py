"""F10: two plans of the same priors differ in cost by what their corners save."""
from pfverify.proof.language import *

h = positive("h")
(x, z, u, v, a, k), (o, n) = indices("x z u v a k", "X"), member("o n", "X")
pi, rho = masses("pi rho")
c = functions("c")
low, left = indicator(u - h - x), indicator(v - h - z)  # the letters up to u - h, v - h
more = rho(x, z) - pi(x, z)
w = c(u - h, v) + c(u, v - h) - c(u, v) - c(u - h, v - h)  # saved by not crossing
inner = indicator(u - h - o) * indicator(v - h - o)  # neither u nor v is the first letter
corners = total(w * inner * low * left, u, v)
ends = c(x, n) + c(n, z) - c(n, n)

Claim(
    id="F10i", source=paper("design", "F10"), result=PROVED,
    words="If rho has the priors of pi, it costs more by the sum over all corners (u, v) of what "
          "not crossing there saves, times the mass before the corner that pi has more than rho",
    printed=proved(
        given={"letters": is_chain([a, k], [o, n], h),
               "first prior": total(more, z) == 0, "second prior": total(more, x) == 0},
        example=instance(h=1, X=[0, 1], o=0, n=1, pi={(0, 1): 1/2, (1, 0): 1/2},
                         rho={(0, 0): 1/2, (1, 1): 1/2}, c={(0, 1): 1, "else": 0}),
        statement=total(more * c(x, z), x, z) == -total(
            w * inner * total(more * low * left, x, z), u, v),
        steps=[
            step("cost", c(x, z) == ends - corners, theorem("F10f", {}, "letters")),
            step("f", total(more * c(x, n), x, z) == 0,
                 integrate("first prior", x, weight=c(x, n))),
            step("g", total(more * (c(n, z) - c(n, n)), x, z) == 0,
                 integrate("second prior", z, weight=c(n, z) - c(n, n))),
            step("costs", total(more * c(x, z), x, z) == total(more * (ends - corners), x, z),
                 integrate("cost", x, z, weight=more)),
            step("saved", total(more * c(x, z), x, z) == -total(
                w * inner * total(more * low * left, x, z), u, v), arithmetic("f", "g", "costs")),
        ],
    ),
    breaks=[
        edit("drop first prior", "f", instance(
            h=1, X=[0, 1], o=0, n=1, pi={(0, 0): 1}, rho={(1, 0): 1}, c={(0, 1): 1, "else": 0})),
        edit("w = c(u - h, v) + c(u, v - h) - 2 * c(u, v)", "cost"),
    ],
)
