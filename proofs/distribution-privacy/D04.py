"""Definition 6: the largest move of the coupling in Figure 1 is 1, and no coupling has less."""
from pfverify.proof.language import *

t = constants("t")
x, z = indices("x z", "X")
one = member("one", "X")
P, Q, gamma, rho = masses("P Q gamma rho")
p, q = {1: 2/10, 2: 5/10, 3: 3/10}, {1: 3/10, 2: 2/10, 3: 5/10}
edges = {(1, 1): 2/10, (2, 1): 1/10, (2, 2): 2/10, (2, 3): 2/10, (3, 3): 3/10}
within = gamma(x, z) == 0 or abs(x - z) <= 1
figure_1 = instance(X=[1, 2, 3], one=1, t=1, P=p, Q=q, gamma=edges, rho=edges)

Claim(
    id="D04", source=paper("distribution-privacy", "Definition 6"), result=PROVED,
    words="The largest move of the coupling of Example 1 is 1, which is the W-infinity distance: "
          "any coupling of the two distributions with moves of at most t has t >= 1",
    printed=proved(
        given={"first": total(rho(x, z), z) == P(x), "second": total(rho(x, z), x) == Q(z),
               "moves": rho(x, z) == 0 or abs(x - z) <= t},
        example=figure_1, data=figure_1,
        statement=within and t >= 1,
        steps=[
            step("Figure 1", within, finite()),
            step("letters", x == z or abs(x - z) >= 1, finite()),
            step("masses", P(one) == 2/10 and Q(one) == 3/10, finite()),
            step("row", implies(x != one, rho(one, x) * (1 - indicator(t - 1)) == 0),
                 arithmetic(use("moves", {x: one, z: x}), use("letters", {z: one}))),
            step("column", implies(x != one, rho(x, one) * (1 - indicator(t - 1)) == 0),
                 arithmetic(use("moves", {z: one}), use("letters", {z: one}))),
            step("row of 1", total(rho(one, x), x) * (1 - indicator(t - 1))
                 == rho(one, one) * (1 - indicator(t - 1)), single("row", x)),
            step("column of 1", total(rho(x, one), x) * (1 - indicator(t - 1))
                 == rho(one, one) * (1 - indicator(t - 1)), single("column", x)),
            step("largest", within and t >= 1,
                 arithmetic("Figure 1", "masses", "row of 1", "column of 1",
                            use("first", {x: one}), use("second", {z: one}))),
        ],
    ),
    breaks=[
        edit("drop first", "largest"), edit("drop moves", "row"),
        edit("within = gamma(x, z) == 0 or abs(x - z) < 1", "Figure 1"),
    ],
)
