"""Before (19): both tails of Z count, the printed equation keeps one of them."""
from pfverify.proof.language import *

c = positive("c")
m = constants("m")
z = variables("z")
right, left = normal_tail(c - m), normal_cdf(-c - m)  # Z + m > c, Z + m < -c
upper, lower = integral(normal_pdf(z), z, c - m, oo), integral(normal_pdf(z), z, -oo, -c - m)
near, far = normal_tail(c - abs(m)), normal_tail(c + abs(m))
claimed = (upper == right and lower == left and right + left == near + far
           and right + left <= 2 * near and implies(m != 0, right + left < 2 * near))

Claim(
    id="G31", source=paper("gaussian-priors", "before (19)"), result=REPAIRED,
    words="Pr(|Z + m| > c) is Pr(Z + |m| > c) for m >= 0 and Pr(Z - |m| > c) for m < 0",
    printed=refuted(
        words="m = 0, c = 1: the left side is 0.317, the right side 0.159",
        statement=implies(m >= 0, right + left == near) and implies(m < 0, right + left == far),
        instance=instance(m=0, c=1),
    ),
    corrected=proved(
        words="It is Q(c - |m|) + Q(c + |m|), and so at most the 2 Q(c - |m|) that follows",
        statement=claimed,
        steps=[
            step("upper", upper == right, antiderivative(normal_cdf(z))),
            step("lower", lower == left, antiderivative(normal_cdf(z))),
            step("sides", right + left == near + far, arithmetic()),
            step("ordered", far <= near and implies(m != 0, far < near), arithmetic()),
            step("bound", right + left <= 2 * near and implies(m != 0, right + left < 2 * near),
                 arithmetic("sides", "ordered")),
        ],
    ),
    breaks=[edit("sides = right + left == 2 * near", "sides", instance(c=1, m=1))],
)
