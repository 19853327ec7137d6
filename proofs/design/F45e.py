"""F45: the mass that discrete Laplace noise gives to all points from one on.

On multiples of h the noise has e^(-|k|/theta) at k over (1 + s)/(1 - s), s = e^(-h/theta): the sum
of all of these (F49, with d = 0 and m = h).

Symbols:
h: the step of the lattice
theta: the scale
v: any number
t: how near the limit is to be
i, a, k: points
o, n: the first and the last point
"""
from pfverify.proof.language import *

(h, theta), (v, t) = positive("h theta"), variables("v t")
(i, a, k), (o, n) = indices("i a k", "X"), member("o n", "X")  # o, o + h, ..., n
s, up_to = exp(-h / theta), total(exp(-i / theta), i)
share = (1 - s) / (1 + s)
mass, tail, rest = share * up_to, exp(-o / theta) / (1 + s), exp(-(n + h) / theta) / (1 + s)
far = 0 < t and theta <= n * t
limit = implies(far, mass <= tail and tail <= mass + t)

Claim(
    id="F45e", source=paper("design", "F45"), result=PROVED,
    words="For o >= 0 discrete Laplace noise has (e^(-o/theta) - e^(-(n+h)/theta))/(1 + s) from o "
          "to n, which is at most t below e^(-o/theta)/(1 + s) from n = theta/t on, for every t > "
          "0: that is the mass of all points from o on",
    printed=proved(
        given={"points": is_chain([a, k], [o, n], h), "o": 0 <= o},
        example=instance(h=1, theta=1, X=[0, 1, 2], o=0, n=2),
        statement=mass == tail - rest and limit,
        steps=[
            step("steps", total(-exp(-(i - h + h) / theta) + exp(-(i - h) / theta), i)
                 == exp(-(o - h) / theta) - exp(-n / theta), theorem("F10a", {
                     "f": maps(v, -exp(-v / theta))}, "points")),
            step("sum", up_to * (1 / s - 1) == exp(-(o - h) / theta) - exp(-n / theta),
                 arithmetic("steps")),
            step("s", s < 1, arithmetic()),
            step("mass", mass == tail - rest, arithmetic("sum", "s")),
            step("n", 0 <= n, arithmetic(use("points", {k: n}), "o")),
            step("rest", rest * (n / theta) <= 1 and 0 <= rest and rest <= 1, arithmetic(
                "n", hints=[exp(n / theta), exp((n + h) / theta)])),
            step("limit", limit, arithmetic("mass", "rest")),
            step("all", mass == tail - rest and limit, arithmetic("mass", "limit")),
        ],
    ),
    breaks=[edit("far = 0 < t", "limit"), edit("drop points", "steps"), edit("drop o", "n")],
)
