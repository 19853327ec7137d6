"""(15): the parameter of (14) in terms of the column's mass on and off the diagonal."""
from pfverify.proof.language import *

E = positive("E")
v, w = variables("v w")
x = indices("x", "X")
b = member("b", "X")
pi = masses("pi")
Q, B = total(pi(x, b), x), pi(b, b)
A = Q - B  # the mass off the diagonal
numerator, split = E * Q - B, (E - 1) * B / A + E
equal_exp = implies(exp(v) == exp(w), v == w)
all_equal = log(numerator / A) == log(numerator) - log(A) and log(numerator) - log(A) == log(split)

Claim(
    id="N18", source=paper("noise-reduction", "(15)"), result=PROVED,
    words="The logarithm of the ratio (14) is the logarithm of (e^epsilon - 1) B/A + e^epsilon, "
          + "A and B being the column's mass off and on the diagonal",
    printed=proved(
        given={"mass off the diagonal": A > 0, "epsilon > 0": E > 1},
        example=instance(E=2, b=1, X=[0, 1], pi=plan({0: 13/25, 1: 12/25}, {0: 1/2, 1: 1/2})),
        statement=all_equal,
        steps=[
            step("B", B >= 0, arithmetic()),
            step("numerator", numerator > 0,
                 arithmetic("mass off the diagonal", "epsilon > 0", "B")),
            step("exponentials", equal_exp, arithmetic()),
            step("split", A * split == numerator, identity()),
            step("log of the quotient", log(A) + log(numerator / A) == log(numerator),
                 arithmetic(use("exponentials", {v: log(A) + log(numerator / A),
                                                 w: log(numerator)}))),
            step("log of the sum", log(A) + log(split) == log(numerator),
                 arithmetic("split", use("exponentials", {v: log(A) + log(split),
                                                          w: log(numerator)}))),
            step("all", all_equal, arithmetic("log of the quotient", "log of the sum")),
        ],
    ),
    breaks=[
        edit("drop epsilon > 0", "numerator",
             instance(E=1/2, b=1, X=[0, 1], pi={(0, 1): 1/4, (1, 1): 3/4})),
    ],
)
