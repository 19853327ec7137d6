"""F77: what two decays from either end of a gap sum to, so that chances of choices are exact.

Symbols:
theta: the scale that all are fractions of
low, high: the ends of a gap between neighbouring places
y: the noisy number that is compared
k, s: how often its scale goes into theta from the left, and from the right, all factors together
"""
from pfverify.proof.language import *

theta, (low, high) = positive("theta"), constants("low high")
(k, s), y = positive("k s"), variables("y")
left, right = exp(-k * (y - low) / theta), exp(-s * (high - y) / theta)
fall_k, fall_s = exp(-k * (high - low) / theta), exp(-s * (high - low) / theta)
both = integral(left * right / theta, y, low, high)
beyond = integral(exp(-k * (y - high) / theta) / theta, y, high, oo)
before = integral(exp(-s * (low - y) / theta) / theta, y, -oo, low)
inside = both * (k - s) == fall_s - fall_k
ends = beyond == 1 / k and before == 1 / s

Claim(
    id="F77", source=paper("design", "F77"), result=PROVED,
    words="The product of e^(-k d/theta) from the left end of a gap and of e^(-s d/theta) from its "
          "right end, over theta, has k - s times the integral e^(-s L/theta) - e^(-k L/theta) "
          "over the gap of length L; beyond all places it is 1/k and 1/s",
    printed=proved(
        given={"gap": low < high, "other": k != s},
        example=instance(theta=2, low=0, high=1, k=2, s=1),
        statement=inside and ends,
        steps=[
            step("inside", both == (fall_s - fall_k) / (k - s), antiderivative(
                left * right / (s - k))),
            step("times", inside, arithmetic("inside", "other")),
            step("beyond", beyond == 1 / k, antiderivative(-exp(-k * (y - high) / theta) / k)),
            step("before", before == 1 / s, antiderivative(exp(-s * (low - y) / theta) / s)),
            step("all", inside and ends, arithmetic("times", "beyond", "before")),
        ],
    ),
    breaks=[edit("drop other", "inside")],
)
