"""F106: a chord is below rho a (a-1) between two orders if it is at both ends, and at the lowest.

The parabola less a chord is a parabola itself, which is lowest at c = (rho + k)/(2 rho), k the
slope of the chord. Where c is no place between the ends it is lowest at one of them. With F104
values of at least g at both orders then show D_a <= rho a between them.

Symbols:
rho: what bounds D_a/a
k, h: the slope of the chord, and what it is at the first order
l, r: both orders
c: where the parabola less the chord is lowest
x: an order between them
"""
from pfverify.proof.language import *

rho, (k, h, l, r, c, x) = positive("rho"), constants("k h l r c x")
room = rho * x * (x - 1) - h - k * (x - l)
left, right = rho * l * (l - 1) - h, rho * r * (r - 1) - h - k * (r - l)
lowest = rho * c * (c - 1) - h - k * (c - l)
inside = implies(lowest >= 0, room >= 0)
before = implies(c <= l and left >= 0, room >= 0)
behind = implies(r <= c and right >= 0, room >= 0)

Claim(
    id="F106", source=paper("design", "F106"), result=PROVED,
    words="The parabola rho x (x-1) is above a chord between two orders where it is above it at "
          "both, and at the place where their difference is lowest, if that is between them",
    printed=proved(
        given={"c": 2 * rho * c == rho + k, "first": l <= x, "last": x <= r},
        example=instance(rho=1, k=3, h=0, l=2, r=2, c=2, x=2),
        statement=inside and before and behind,
        steps=[
            step("square", room == lowest + rho * (x - c)**2, arithmetic("c")),
            step("at least", 0 <= rho * (x - c)**2, arithmetic()),
            step("inside", inside, arithmetic("square", "at least")),
            step("from l", room == left + rho * (x - l) * ((x - l) + 2 * (l - c)), arithmetic("c")),
            step("rises", implies(c <= l, 0 <= rho * (x - l) * ((x - l) + 2 * (l - c))),
                 arithmetic("first")),
            step("before", before, arithmetic("from l", "rises")),
            step("from r", room == right + rho * (r - x) * ((r - x) + 2 * (c - r)),
                 arithmetic("c")),
            step("falls", implies(r <= c, 0 <= rho * (r - x) * ((r - x) + 2 * (c - r))),
                 arithmetic("last")),
            step("behind", behind, arithmetic("from r", "falls")),
            step("all", inside and before and behind, arithmetic("inside", "before", "behind")),
        ],
    ),
    breaks=[edit("drop c", "square"), edit("drop first", "rises"), edit("drop last", "falls")],
)
