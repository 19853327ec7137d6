"""Figure 1: the pairs with x, x' in 0..99 are numbered 1, 2, 3, ... by x' first, then by x."""
from pfverify.proof.language import *

x, z, u, w = variables("x z u w")
number, other = 100 * z + x + 1, 100 * w + u + 1
start = at(number, {x: 0, z: 0}) == 1
along = at(number, {x: x + 1}) == number + 1
wrap = at(number, {x: 0, z: z + 1}) == at(number, {x: 99}) + 1
named = at(number, {x: 99, z: 0}) == 100 and at(number, {x: 0, z: 1}) == 101
inside = 0 <= x and x <= 99 and 0 <= u and u <= 99
order = implies(inside and (z + 1 <= w or (z == w and x < u)), number < other)

Claim(
    id="N13", source=paper("noise-reduction", "Figure 1"), result=PROVED,
    words="100 x' + x + 1 numbers the pairs from (0,0) on, sorted by x', then x; "
          + "(99,0) is the 100th and (0,1) the 101st",
    printed=proved(
        statement=start and along and wrap and named and order,
        steps=[step("all", start and along and wrap and named and order, arithmetic())],
    ),
)
