"""F4b: seen from outside an interval, the Laplace kernel inside is a mean of those at its ends."""
from pfverify.proof.language import *

theta = positive("theta")
(a, b), (x, y) = constants("a b"), variables("x y")
k, ka, kb = exp(-abs(y - x) / theta), exp(-abs(a - x) / theta), exp(-abs(b - x) / theta)
s, r = exp((y - a) / theta), exp((b - y) / theta)
width = s * r - 1 / (s * r)
wa, wb = (r - 1 / r) / width, (s - 1 / s) / width
rest, inside = (s - 1) * (r - 1) * (s * r - 1) / (s * r), a <= y and y <= b
before, after, mean_of_ends = x <= a and inside, b <= x and inside, k == wa * ka + wb * kb
weights = implies(inside, wa >= 0 and wb >= 0 and wa + wb <= 1)

Claim(
    id="F4c", source=paper("design", "F4b"), result=PROVED,
    words="For a <= y <= b and x not between them, e^(-|y-x|/theta) is wa times that at a plus wb "
          "times that at b, with wa = sinh((b-y)/theta) / sinh((b-a)/theta), wb mirrored; both are "
          "at least 0 and their sum is at most 1",
    printed=proved(
        given={"interval": a < b}, example=instance(theta=1, a=0, b=1),
        statement=weights and implies(before, mean_of_ends) and implies(after, mean_of_ends),
        steps=[
            step("width", width > 0, arithmetic("interval")),
            step("s", implies(inside, s >= 1 and 1 / s <= 1), arithmetic()),
            step("r", implies(inside, r >= 1 and 1 / r <= 1), arithmetic()),
            step("gap", width - (r - 1 / r) - (s - 1 / s) == rest, identity()),
            step("rest", implies(inside, rest >= 0), arithmetic("s", "r")),
            step("weights", weights, arithmetic("width", "s", "r", "gap", "rest")),
            step("left", exp((x - y) / theta) == wa * exp((x - a) / theta)
                 + wb * exp((x - b) / theta), identity()),
            step("right", exp((y - x) / theta) == wa * exp((a - x) / theta)
                 + wb * exp((b - x) / theta), identity()),
            step("k left", implies(before, k == exp((x - y) / theta) and ka == exp(
                (x - a) / theta) and kb == exp((x - b) / theta)), arithmetic("interval")),
            step("before", implies(before, mean_of_ends), arithmetic("k left", "left")),
            step("k right", implies(after, k == exp((y - x) / theta) and ka == exp(
                (a - x) / theta) and kb == exp((b - x) / theta)), arithmetic("interval")),
            step("after", implies(after, mean_of_ends), arithmetic("k right", "right")),
        ],
    ),
    breaks=[
        edit("drop interval", "width", instance(theta=1, a=1, b=1), {y: 1, x: 1}),
        edit("inside = a <= y", "r", instance(theta=1, a=0, b=1), {y: 2, x: 0}),
    ],
)
