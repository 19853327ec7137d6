"""Figure 1: the pairs with x, x' in 0..99 are numbered 1, 2, 3, ... by x' first, then by x."""
from pfverify.proof.language import *

(x, u), (z, w) = indices("x u", "X"), indices("z w", "X")
before = 1 - indicator(w - z)  # 1 if the pair (u, w) has w < z
same_row = indicator(z - w) - before
place = total(before + same_row * indicator(x - u), u, w)  # the pairs up to (x, z)

Claim(
    id="N13", source=paper("noise-reduction", "Figure 1"), result=PROVED,
    words="The number of pairs (u, w) up to (x, x'), by w first and then by u, is 100 x' + x + 1; "
          "(99,0) is the 100th and (0,1) the 101st",
    printed=proved(
        data=instance(X=whole_numbers(0, 99)), statement=place == 100 * z + x + 1,
        steps=[
            step("in a row", total(indicator(x - u), u) == x + 1, finite()),
            step("rows before", total(before, w) == z, finite()),
            step("one row", total(same_row, w) == 1, finite()),
            step("a row", total(indicator(u - u), u) == 100, finite()),
            step("rows", total(total(indicator(u - u), u) * before, w) == 100 * total(before, w),
                 integrate("a row", w, weight=before)),
            step("all", place == 100 * z + x + 1,
                 arithmetic("in a row", "rows before", "one row", "rows")),
        ],
    ),
    breaks=[
        edit("before = indicator(z - w)", "rows before",
             instance(X=whole_numbers(0, 99)), {x: 0, z: 0}),
    ],
)
