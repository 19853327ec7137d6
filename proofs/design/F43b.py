"""F43: two coordinates may leak nothing each, and together as much as one likes.

X is (0, 0) or (1, 1), or else (0, 1) or (1, 0), evenly; R = cosh((a + b)/2)/cosh((a - b)/2).

Symbols:
a, b: one over the scales of the two coordinates
y, z: outputs
"""
from pfverify.proof.language import *

(a, b), (y, z) = positive("a b"), variables("y z")
k0, k1 = exp(-a * abs(y)), exp(-a * abs(y - 1))
l0, l1 = exp(-b * abs(z)), exp(-b * abs(z - 1))
p, q = (k0 * l0 + k1 * l1) / 2, (k0 * l1 + k1 * l0) / 2
A, B = exp(-a), exp(-b)
s, d = exp((a + b) / 2) + exp(-(a + b) / 2), exp((a - b) / 2) + exp((b - a) / 2)
R, R_one, few, many = s / d, at(s / d, {b: a}), A + B, 1 + A * B
k, l, k2, l2 = k0 - A * k1, l0 - B * l1, k1 - A * k0, l1 - B * l0
bounds = few * p <= many * q and few * q <= many * p
reached = at(few * p == many * q, {y: 0, z: 0}) and at(few * q == many * p, {y: 0, z: 1})
one_scale = R_one == (exp(a) + exp(-a)) / 2 and exp(a) / 2 <= R_one

Claim(
    id="F43b", source=paper("design", "F43"), result=PROVED,
    words="(0,0) or (1,1) against (0,1) or (1,0), evenly: each coordinate alone has one law, and "
          "reveals nothing at any scale; both have the loss log[cosh((a+b)/2)/cosh((a-b)/2)] in "
          "both orders, log cosh(1/theta) at equal scales, which is at least 1/theta - log 2",
    printed=proved(
        statement=R == many / few and few < many and bounds and reached and one_scale,
        steps=[
            step("R", R == many / few, identity()),
            step("k", 0 <= k, arithmetic()), step("k back", 0 <= k2, arithmetic()),
            step("l", 0 <= l, arithmetic()), step("l back", 0 <= l2, arithmetic()),
            step("kl", 0 <= k * l, integrate("k", weight=l, using=["l"])),
            step("k'l", 0 <= k2 * l, integrate("k back", weight=l, using=["l"])),
            step("kl'", 0 <= k * l2, integrate("k", weight=l2, using=["l back"])),
            step("k'l'", 0 <= k2 * l2, integrate("k back", weight=l2, using=["l back"])),
            step("p", many * 2 * q - few * 2 * p == k * l2 + k2 * l, identity()),
            step("q", many * 2 * p - few * 2 * q == k * l + k2 * l2, identity()),
            step("bounds", bounds, arithmetic("p", "q", "kl", "k'l", "kl'", "k'l'")),
            step("small", few < many, arithmetic()), step("reached", reached, arithmetic()),
            step("at a", R_one == (exp(a) + exp(-a)) / 2, identity()),
            step("one", one_scale, arithmetic("at a")),
        ],
    ),
    breaks=[
        edit("s = exp(a + b)", "R", instance(a=1, b=1), {y: 0, z: 0}),
        edit("q = (k0 * l0 + k1 * l0) / 2", "p"),
    ],
)
