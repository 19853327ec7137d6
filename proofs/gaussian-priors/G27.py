"""Section VI-B: what the proofs of Theorems 1 and 2 use of the Laplace density."""
from pfverify.proof.language import *

b, epsilon = positive("b epsilon")
x, y, T = variables("x y T")  # T: the image of x
B = masses("B")  # B(y): the chance that y is counted, 0 or 1 for a plain event
ratio, worst = exp(epsilon - (abs(y - T) - abs(y - x)) / b), exp(epsilon - abs(x - T) / b)
beyond = y <= x and x <= T or T <= x and x <= y
k, k_T, K = exp(-abs(y - x) / b) / (2 * b), exp(-abs(y - T) / b) / (2 * b), exp(abs(x - T) / b)
c, c_T = integral(B(y) * k, y, -oo, oo), integral(B(y) * k_T, y, -oo, oo)

Claim(
    id="G27", source=paper("gaussian-priors", "Section VI-B"), result=PROVED,
    words="e^(epsilon - (|y-T(x)| - |y-x|)/b) is at least e^(epsilon - |x-T(x)|/b), and equal to "
          "it for every y on the side of x that is away from T(x)",
    printed=proved(
        statement=ratio >= worst and implies(beyond, ratio == worst),
        steps=[
            step("at least", ratio >= worst, arithmetic()),
            step("beyond", implies(beyond, ratio == worst), arithmetic()),
        ],
    ),
    tighter=proved(
        words="So the chance c(x) of any event, from data x, is at most 1 and at most "
              "e^(|x-x'|/b) c(x'): what other files use of Laplace noise",
        given={"event": B(y) <= 1}, example=instance(b=1, B={"else": 1/2}),
        statement=0 <= c and c <= 1 and c_T <= K * c,
        steps=[
            step("mass", integral(k, y, -oo, oo) == 1, theorem("F20", {"b": b})),
            step("small", abs(B(y) * k) <= k, arithmetic("event")),
            step("exists", abs(c) <= integral(k, y, -oo, oo), dominated("small")),
            step("c <= 1", c <= 1, arithmetic("exists", "mass")),
            step("positive", 0 <= B(y) * k, arithmetic()),
            step("c >= 0", 0 <= c, integrate("positive", y, between=(-oo, oo))),
            step("triangle", B(y) * k_T <= K * B(y) * k, arithmetic()),
            step("ratio", c_T <= K * c, integrate("triangle", y, between=(-oo, oo))),
        ],
    ),
    breaks=[
        edit("beyond = y <= x and T <= x", "beyond", instance(b=1, epsilon=1),
             {x: 0, y: -1, T: -1}),
        edit("drop event", "small", instance(b=1, B={0: 2}), {x: 0, y: 0}),
    ],
)
