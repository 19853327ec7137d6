"""F7: the tail of a release is that of the noise times E e^(X/b), with a bound for the error.

P is any law whose moments E e^(X/b), E e^(-X/b) are finite; the normal one is worked out.
"""
from pfverify.proof.language import *

(b, s), m = positive("b s"), constants("m")
y, v, t = variables("y v t")
x = draws("x", "P")
near = exp(-abs(y - x) / b)  # 2 b times the density of the noise
beyond, before = 1 - indicator(y - x), 1 - indicator(x - y)  # x > y, x < y
gap_up = mean(exp(x / b), x) - exp(y / b) * mean(near, x)
gap_down = mean(exp(-x / b), x) - exp(-y / b) * mean(near, x)
upper = 0 <= gap_up and gap_up <= mean(exp(x / b) * beyond, x)
lower = 0 <= gap_down and gap_down <= mean(exp(-x / b) * before, x)
M = exp(m / b + s**2 / (2 * b**2))
e_mean = integral(exp(v / b) * normal_pdf(v, m, s), v, -oo, oo)
e_tail = integral(exp(v / b) * normal_pdf(v, m, s), v, y, oo)
normal = e_mean == M and e_tail == M * normal_tail(y, m + s**2 / b, s)
bound = t * normal_tail(t) <= normal_pdf(t)
primitive = M * normal_cdf(v, m + s**2 / b, s)

Claim(
    id="F7", source=paper("design", "F7"), result=PROVED,
    words="2b e^(y/b) p(y) is below E e^(X/b) by at most E e^(X/b) [X > y], and mirrored; for a "
          "normal prior that is e^(m/b + s^2/2b^2) Q(z - s/b), and t Q(t) <= phi(t)",
    printed=proved(
        given={"moments": integrable(exp(x / b), x) and integrable(exp(-x / b), x)},
        example=instance(b=1, P=law({0: 1/2, 1: 1/2})),
        statement=upper and lower and normal and bound,
        steps=[
            step("up", 0 <= gap_up, termwise(arithmetic(), x)),
            step("up most", gap_up <= mean(exp(x / b) * beyond, x), termwise(arithmetic(), x)),
            step("down", 0 <= gap_down, termwise(arithmetic(), x)),
            step("down most", gap_down <= mean(exp(-x / b) * before, x), termwise(arithmetic(), x)),
            step("mean", e_mean == M, antiderivative(primitive)),
            step("tail", e_tail == M * normal_tail(y, m + s**2 / b, s), antiderivative(primitive)),
            step("Mills", bound, theorem("F30", {})),
        ],
    ),
    breaks=[
        edit("drop moments", "up"),
        edit("gap_up = mean(exp(x / b), x) - 2 * exp(y / b) * mean(near, x)", "up", instance(
            b=1, s=1, m=0, P=law({0: 1})), {y: 0, t: 0}),
        edit("beyond = 1 - indicator(y + 1 - x)", "up most", instance(
            b=1, s=1, m=0, P=law({1: 1})), {y: 0, t: 0}),
    ],
)
