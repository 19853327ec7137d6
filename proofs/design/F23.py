"""F23: a plan without crossings has the largest joint distribution function, min(F, G)."""
from pfverify.proof.language import *

u, v = variables("u v")
x, z, a, b = indices("x z a b", "X")
pi = masses("pi")
low, left = indicator(u - x), indicator(v - z)  # x <= u, z <= v
F, G = total(pi(x, z) * low, x, z), total(pi(x, z) * left, x, z)
J = total(pi(x, z) * low * left, x, z)
above, beside = pi(x, z) * low * (1 - left), pi(x, z) * (1 - low) * left
beside_a = at(beside, {x: a, z: b})  # (a, b) starts after u and ends by v

Claim(
    id="F23", source=paper("design", "F23"), result=PROVED,
    words="If no two pairs of a plan cross (start in one order and end in the other), the mass "
          "with x <= u and x' <= v is the smaller of that with x <= u and that with x' <= v",
    printed=proved(
        given={"no crossing": pi(x, z) * pi(a, b) == 0 or (x - a) * (z - b) >= 0},
        example=instance(X=[0, 1, 2], pi={(0, 1): 1/2, (1, 2): 1/2}),
        statement=J == minimum(F, G),
        steps=[
            step("J <= F", 0 <= F - J, termwise(arithmetic(), x, z, weight=pi(x, z))),
            step("J <= G", 0 <= G - J, termwise(arithmetic(), x, z, weight=pi(x, z))),
            step("one pair", above * total(beside_a, a, b) == 0,
                 termwise(arithmetic("no crossing"), a, b)),
            step("not both", (F - J) * (G - J) == 0, integrate("one pair", x, z)),
            step("smaller", J == minimum(F, G), arithmetic("J <= F", "J <= G", "not both")),
        ],
    ),
    breaks=[
        edit("drop no crossing", "one pair", instance(X=[0, 1], pi={(0, 1): 1/2, (1, 0): 1/2}),
             {u: 0, v: 0}),
    ],
)
