"""F92: the integrand h = p^a q^(1-a) between atoms is at most what h at both ends makes of it.

In units of the scale p = A e^u + B e^-u and q = C e^u + D e^-u (some may be 0, in the limit). There
h'' = h + a (a-1) h (log p/q)'^2 >= h, so that h is at most the H = H'' that is h at both ends of an
interval, and the integral of H is at most the sum of both. The ratio p/q is monotone: its
derivative has the sign of A D - B C. On a lattice, with t = e^-step, p(y-1) + p(y+1) = (t + 1/t)
p(y) and the same of q, so that (F90: neighbours joined) h(y-1) + h(y+1) >= (t + 1/t) h(y); the sum
between two points is at most t/(1-t) of both.
open: that such an h is at most H (the maximum principle)

Symbols:
a: the order
u: a place between two atoms
A, B, C, D: what p and q are made of
width: of an interval
x, z: what h is at its ends
y: how far from one end
"""
from pfverify.proof.language import *

a, (A, B, C, D, width) = constants("a"), positive("A B C D width")
u, y = variables("u y")
x, z = positive("x z")
p, q = A * exp(u) + B * exp(-u), C * exp(u) + D * exp(-u)
h = exp(a * log(p) + (1 - a) * log(q))
slope = derivative(p, u) / p - derivative(q, u) / q
second = derivative(derivative(h, u), u) == h + a * (a - 1) * h * slope**2
least = h <= derivative(derivative(h, u), u)
monotone = derivative(p / q, u) * q**2 == 2 * (A * D - B * C)
span = exp(width) - exp(-width)
H = (x * (exp(width - y) - exp(y - width)) + z * (exp(y) - exp(-y))) / span
under = (x + z) * (exp(width) + exp(-width) - 2) / span
whole = integral(H, y, 0, width)
inside = (z * (exp(y) + exp(-y)) - x * (exp(width - y) + exp(y - width))) / span

Claim(
    id="F92", source=paper("design", "F92"), result=PROVED,
    words="Between atoms h'' >= h and p/q is monotone; and what is H = H'' of an interval has an "
          "integral of at most the sum of both ends",
    printed=proved(
        given={"order": a > 1},
        example=instance(a=2, A=1, B=1, C=2, D=1, width=1, x=1, z=1),
        statement=second and least and monotone and whole <= x + z,
        steps=[
            step("second", second, arithmetic()),
            step("more", least, arithmetic("second", "order")),
            step("monotone", monotone, arithmetic()),
            step("span", span > 0, arithmetic()),
            step("whole", whole == under, antiderivative(inside, ("span",))),
            step("ends", exp(width) + exp(-width) - 2 <= span, arithmetic()),
            step("at most", whole <= x + z, arithmetic("whole", "ends", "span")),
            step("all", second and least and monotone and whole <= x + z,
                 arithmetic("second", "more", "monotone", "at most")),
        ],
    ),
    breaks=[edit("drop order", "more")],
)
