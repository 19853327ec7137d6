"""Section VI-B: what the proofs of Theorems 1 and 2 use of the Laplace density."""
from pfverify.proof.language import *

b, epsilon = positive("b epsilon")
x, y, T = variables("x y T")  # T: the image of x
ratio, worst = exp(epsilon - (abs(y - T) - abs(y - x)) / b), exp(epsilon - abs(x - T) / b)
beyond = y <= x and x <= T or T <= x and x <= y

Claim(
    id="G27", source=paper("gaussian-priors", "Section VI-B"), result=PROVED,
    words="e^(epsilon - (|y-T(x)| - |y-x|)/b) is at least e^(epsilon - |x-T(x)|/b), and equal to "
          "it for every y on the side of x that is away from T(x)",
    printed=proved(
        statement=ratio >= worst and implies(beyond, ratio == worst),
        steps=[
            step("triangle", (abs(y - T) - abs(y - x)) / b <= abs(x - T) / b, arithmetic()),
            step("beyond", implies(beyond, (abs(y - T) - abs(y - x)) / b == abs(x - T) / b),
                 arithmetic()),
            step("both", ratio >= worst and implies(beyond, ratio == worst),
                 arithmetic("triangle", "beyond")),
        ],
    ),
)
