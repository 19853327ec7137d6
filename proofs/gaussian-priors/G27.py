"""Section VI-B: what the proofs of Theorems 1 and 2 use of the Laplace density."""
from pfverify.proof.language import *

b, epsilon = positive("b epsilon")
x, y, T = variables("x y T")  # T: the image of x
B = masses("B")  # B(y): the chance that y is counted, 0 or 1 for a plain event
ratio, worst = exp(epsilon - (abs(y - T) - abs(y - x)) / b), exp(epsilon - abs(x - T) / b)
beyond = y <= x and x <= T or T <= x and x <= y
k, k_T, K = exp(-abs(y - x) / b) / (2 * b), exp(-abs(y - T) / b) / (2 * b), exp(abs(x - T) / b)
left, right = exp((y - x) / b) / (2 * b), exp((x - y) / b) / (2 * b)
c, c_T = integral(B(y) * k, y, -oo, oo), integral(B(y) * k_T, y, -oo, oo)
all_of, scaled = integral(k, y, -oo, oo), integral(K * k, y, -oo, oo)
before, after = integral(K * k, y, -oo, x), integral(K * k, y, x, oo)

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
    tighter=proved(
        words="So the chance c(x) of any event, from data x, is at most 1 and at most "
              "e^(|x-x'|/b) c(x'): what other files use of Laplace noise",
        given={"event": B(y) <= 1}, example=instance(b=1, B={}),
        statement=0 <= c and c <= 1 and c_T <= K * c,
        steps=[
            step("left", integral(K * left, y, -oo, x) == K / 2, antiderivative(b * K * left)),
            step("right", integral(K * right, y, x, oo) == K / 2, antiderivative(-b * K * right)),
            step("on the left", implies(y <= x, K * k == K * left), arithmetic()),
            step("on the right", implies(x <= y, K * k == K * right), arithmetic()),
            step("before", before == integral(K * left, y, -oo, x),
                 integrate("on the left", y, between=(-oo, x))),
            step("after", after == integral(K * right, y, x, oo),
                 integrate("on the right", y, between=(x, oo))),
            step("sum", scaled == before + after, split_integral(x)),
            step("smaller", abs(k) <= K * k, arithmetic()),
            step("exists", abs(all_of) <= scaled, dominated("smaller")),
            step("K", scaled == K * all_of, identity()),
            step("mass", all_of == 1, arithmetic("K", "sum", "before", "after", "left", "right")),
            step("small", abs(B(y) * k) <= k, arithmetic("event")),
            step("exists c", abs(c) <= all_of, dominated("small")),
            step("one", c <= 1, arithmetic("exists c", "mass")),
            step("positive", 0 <= B(y) * k, arithmetic()),
            step("c >= 0", 0 <= c, integrate("positive", y, between=(-oo, oo))),
            step("triangle", B(y) * k_T <= K * B(y) * k, arithmetic()),
            step("small T", abs(B(y) * k_T) <= K * k, arithmetic("triangle", "event")),
            step("exists T", abs(c_T) <= scaled, dominated("small T")),
            step("ratio", c_T <= K * c, integrate("triangle", y, between=(-oo, oo))),
            step("both", 0 <= c and c <= 1 and c_T <= K * c, arithmetic("c >= 0", "one", "ratio")),
        ],
    ),
)
