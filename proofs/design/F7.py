"""F7: the tail of a release is that of the noise times E e^(X/b), with a bound for the error.

P is any law whose moments E e^(X/b), E e^(-X/b) are finite; the normal one is worked out.
"""
from pfverify.proof.language import *

b, s = positive("b s")
m = constants("m")
y, v, t = variables("y v t")
x = draws("x", "P")
near = exp(-abs(y - x) / b)  # 2 b times the density of the noise
up, down = exp(y / b) * near, exp(-y / b) * near
beyond, before = 1 - indicator(y - x), 1 - indicator(x - y)  # x > y, x < y
gap_up = mean(exp(x / b), x) - exp(y / b) * mean(near, x)
gap_down = mean(exp(-x / b), x) - exp(-y / b) * mean(near, x)
upper = 0 <= gap_up and gap_up <= mean(exp(x / b) * beyond, x)
lower = 0 <= gap_down and gap_down <= mean(exp(-x / b) * before, x)
M = exp(m / b + s**2 / (2 * b**2))
e_mean = integral(exp(v / b) * normal_pdf(v, m, s), v, -oo, oo)
e_tail = integral(exp(v / b) * normal_pdf(v, m, s), v, y, oo)
normal = e_mean == M and e_tail == M * normal_tail(y, m + s**2 / b, s)
moment, bound = integral(v * normal_pdf(v), v, t, oo), t * normal_tail(t) <= normal_pdf(t)
primitive = M * normal_cdf(v, m + s**2 / b, s)
statement = upper and lower and normal and bound

Claim(
    id="F7", source=paper("design", "F7"), result=PROVED,
    words="2b e^(y/b) p(y) is below E e^(X/b) by at most E e^(X/b) [X > y], and mirrored; for a "
          "normal prior that is e^(m/b + s^2/2b^2) Q(z - s/b), and t Q(t) <= phi(t)",
    printed=proved(
        given={"moments": integrable(exp(x / b), x) and integrable(exp(-x / b), x)},
        example=instance(b=1, P=law({0: 1/2, 1: 1/2})),
        statement=statement,
        steps=[
            step("kernel above", 0 <= exp(x / b) - up, arithmetic()),
            step("kernel beyond", exp(x / b) - up <= exp(x / b) * beyond, arithmetic()),
            step("up", 0 <= gap_up, integrate("kernel above", x)),
            step("up bound", gap_up <= mean(exp(x / b) * beyond, x),
                 integrate("kernel beyond", x)),
            step("kernel below", 0 <= exp(-x / b) - down, arithmetic()),
            step("kernel before", exp(-x / b) - down <= exp(-x / b) * before, arithmetic()),
            step("down", 0 <= gap_down, integrate("kernel below", x)),
            step("down bound", gap_down <= mean(exp(-x / b) * before, x),
                 integrate("kernel before", x)),
            step("mean", e_mean == M, antiderivative(primitive)),
            step("tail", e_tail == M * normal_tail(y, m + s**2 / b, s), antiderivative(primitive)),
            step("value", integral(t * normal_pdf(v), v, t, oo) == t * normal_tail(t),
                 antiderivative(t * normal_cdf(v))),
            step("moment", moment == normal_pdf(t), antiderivative(-normal_pdf(v))),
            step("farther", implies(t <= v, t * normal_pdf(v) <= v * normal_pdf(v)), arithmetic()),
            step("Mills", integral(t * normal_pdf(v), v, t, oo) <= moment,
                 integrate("farther", v, between=(t, oo))),
            step("all", statement, arithmetic("up", "up bound", "down", "down bound", "mean",
                                              "tail", "value", "moment", "Mills")),
        ],
    ),
    breaks=[edit("kernel above = 0 < exp(x / b) - up", "kernel above")],
)
