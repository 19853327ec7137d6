"""F94: where Q is a point and the order whole, R is a sum of exponentials.

Q is at 0 and the scale 1. On a piece above 0 without atoms p is (A e^-y + B e^y)/2 and q^(1-a) is
2^(a-1) e^((a-1) y). The power a of p has the terms A^(a-k) B^k e^((2k-a) y), as often as the
binomial theorem says (open: that theorem; here a = 2), and 2k - 1 is never 0. Below 0 all is
mirrored.

Symbols:
A, B: what comes from below, and from above
k: how often the second term of p is taken
low, high: the ends of a piece
y: an output
"""
from pfverify.proof.language import *

A, B, k, low, high = constants("A B k low high")
y = variables("y")
term = exp((2 * k - 1) * y)
square = (A * exp(-y) + B * exp(y))**2 * exp(y)
of_square = -A**2 * exp(-y) + 2 * A * B * exp(y) + B**2 * exp(3 * y) / 3
piece, whole = integral(term, y, low, high), integral(square, y, low, high)
gained = (exp((2 * k - 1) * high) - exp((2 * k - 1) * low)) / (2 * k - 1)
both = at(of_square, {y: high}) - at(of_square, {y: low})

Claim(
    id="F94", source=paper("design", "F94"), result=PROVED,
    words="Each term of the integrand is an exponential e^((2k-1) y), which has an integral in "
          "closed form; of the order 2 all three together have theirs",
    printed=proved(
        given={"piece": low < high, "k": 2 * k - 1 > 0 or 2 * k - 1 < 0},
        example=instance(A=1, B=1, k=1, low=0, high=1),
        statement=piece == gained and whole == both,
        steps=[
            step("term", piece == gained,
                 antiderivative(exp((2 * k - 1) * y) / (2 * k - 1), ("k",))),
            step("square", whole == both, antiderivative(of_square)),
            step("all", piece == gained and whole == both, arithmetic("term", "square")),
        ],
    ),
    breaks=[edit("term = exp(2 * k * y)", "term")],
)
