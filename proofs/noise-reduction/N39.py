"""(22): the mass of a pair is the mixed difference of the joint distribution function."""
from pfverify.proof.language import *

u, v = variables("u v")
x, z, a, b = indices("x z a b", "X")
pi = masses("pi")
J = total(pi(a, b) * indicator(u - a) * indicator(v - b), a, b)
whole = implies(a != x, abs(a - x) >= 1)
three = at(J, {u: x, v: z}) - at(J, {u: x - 1, v: z}) - at(J, {u: x, v: z - 1})
row, column = indicator(x - a) - indicator(x - 1 - a), indicator(z - b) - indicator(z - 1 - b)

Claim(
    id="N39", source=paper("noise-reduction", "(22)"), result=REPAIRED,
    words="The mass of a pair (x, x') is a signed sum of four values of the joint distribution "
          "function, the last of them taken at (x, x') again",
    printed=refuted(
        words="It fails for the plan of Table 1",
        given={"whole numbers": whole, "a joint distribution": total(pi(a, b), a, b) == 1},
        statement=pi(x, z) == three + at(J, {u: x, v: z}),
        instance=instance(X=[0, 1], pi=plan({0: 13/25, 1: 12/25}, {0: 1/2, 1: 1/2})),
    ),
    corrected=proved(
        words="The last value is the one at (x-1, x'-1)", given={"whole numbers": whole},
        example=instance(X=[0, 1], pi={(0, 0): 1/2, (1, 1): 1/2}),
        statement=pi(x, z) == three + at(J, {u: x - 1, v: z - 1}),
        steps=[
            step("row x", implies(a != x, row == 0), arithmetic("whole numbers")),
            step("one row", total(pi(a, b) * row, a) == pi(x, b),
                 single("row x", a, weight=pi(a, b))),
            step("column z", implies(b != z, column == 0),
                 arithmetic(use("whole numbers", {a: b, x: z}))),
            step("one column", total(pi(x, b) * column, b) == pi(x, z),
                 single("column z", b, weight=pi(x, b))),
            step("its mass", total(pi(a, b) * row * column, a, b) == total(pi(x, b) * column, b),
                 integrate("one row", b, weight=column)),
            step("mixed difference", pi(x, z) == three + at(J, {u: x - 1, v: z - 1}),
                 arithmetic("its mass", "one column")),
        ],
    ),
    breaks=[
        edit("drop whole numbers", "row x", instance(X=[0, 1/2], pi={(0, 0): 1})),
    ],
)
