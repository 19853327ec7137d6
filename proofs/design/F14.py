"""F14: what a pair of letters adds to one distribution function of a plan and not to the joint."""
from pfverify.proof.language import *

u, v = variables("u v")
(x, z), (a, b) = indices("x z", "X"), member("a b", "X")
pi = masses("pi")
low, left = indicator(u - x), indicator(v - z)
F, G = total(pi(x, z) * low, x, z), total(pi(x, z) * left, x, z)
J = total(pi(x, z) * low * left, x, z)
first, second = pi(x, z) * low * (1 - left), pi(x, z) * (1 - low) * left

Claim(
    id="F14", source=paper("design", "F14"), result=PROVED,
    words="The mass of (a, b) is at most F(u) - J(u, v) if a <= u and v < b, and at most "
          "G(v) - J(u, v) if u < a and b <= v",
    printed=proved(
        statement=at(first, {x: a, z: b}) <= F - J and at(second, {x: a, z: b}) <= G - J,
        steps=[
            step("a mass", 0 <= first, arithmetic()),
            step("one pair", at(first, {x: a, z: b}) <= F - J, one_term("a mass", {x: a, z: b})),
            step("another", 0 <= second, arithmetic()),
            step("its pair", at(second, {x: a, z: b}) <= G - J, one_term("another", {x: a, z: b})),
        ],
    ),
    breaks=[edit("a mass = 0 < first", "a mass")],
)
