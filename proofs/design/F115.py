"""F115: R of mixtures of normal laws of several variances: what a cell is of, and what a tail has.

Around c the square of a component is one in z. h = p^a q^(1-a) solves h' = h (a log p + (1-a) log
q)', from which its coefficients follow (open: to compare coefficients, and that the integral over
[c-r, c+r] is off that of the terms below an even n by at most 2 r^(n+1)/(n+1) times what the n-th
is in the cell: Taylor's theorem with the rest as Lagrange has it). Let s = 1/variance of the widest
component of p, with mean m, and t = 1/variance of another one, with mean x. Where its share beside
that of m falls at y0, it falls from there on. The square of a log m + (1-a) log n is b y^2/2 + k y
and a constant: with b >= 0 it is above its tangent, so that h falls at least as e to a line there.
With b = 0 it is that line, and with b < 0 it rises far out.

Symbols:
a: the order
c: the middle of a cell
m, x, s, t: means, and one over variances, of the widest component of p and of another one
z: how far from the middle of the cell
A, B, C, D: what p and q are made of
y0, y: where a tail begins, and a place beyond it
b, k: bend and start of the square far out
"""
from pfverify.proof.language import *

a, c, m, x, y0, y, b, k = constants("a c m x y0 y b k")
s, t, A, B, C, D = positive("s t A B C D")
z = variables("z")
around = (c + z - m)**2 * s / 2 == (c - m)**2 * s / 2 + (c - m) * s * z + s * z**2 / 2
p = A * exp(-(c + z - m)**2 * s / 2) + B * exp(-(c + z - x)**2 * t / 2)
q = C * exp(-(c + z - m)**2 * s / 2) + D * exp(-(c + z - x)**2 * t / 2)
h = exp(a * log(p) + (1 - a) * log(q))
solves = derivative(h, z) == h * (a * derivative(p, z) / p + (1 - a) * derivative(q, z) / q)
share = exp(-(y - x)**2 * t / 2) * exp(-(y0 - m)**2 * s / 2) <= (
    exp(-(y0 - x)**2 * t / 2) * exp(-(y - m)**2 * s / 2))
falls = exp(-(b * y**2 / 2 + k * y)) <= (
    exp(-(b * y0**2 / 2 + k * y0)) * exp(-(y - y0) * (b * y0 + k)))

Claim(
    id="F115", source=paper("design", "F115"), result=PROVED,
    words="h' = h (a log p + (1-a) log q)'; a component's share beside the widest one, which falls "
          "at a place, falls beyond it; and e to minus a square that bends upwards is below e to "
          "minus its tangent",
    printed=proved(
        given={"widest": s <= t, "begins": (y0 - m) * s <= (y0 - x) * t, "beyond": y0 <= y,
               "bend": 0 <= b},
        example=instance(a=2, c=0, m=0, x=0, s=1, t=2, A=1, B=1, C=2, D=1, y0=3, y=4, b=1, k=0),
        statement=around and solves and share and falls,
        steps=[
            step("around", around, arithmetic()),
            step("solves", solves, arithmetic()),
            step("first", 0 <= (y - y0) * ((y0 - x) * t - (y0 - m) * s),
                 arithmetic("begins", "beyond")),
            step("second", 0 <= (y - y0)**2 * (t - s), arithmetic("widest")),
            step("squares", (y - m)**2 * s / 2 + (y0 - x)**2 * t / 2
                 <= (y - x)**2 * t / 2 + (y0 - m)**2 * s / 2, arithmetic("first", "second")),
            step("share", share, arithmetic("squares")),
            step("more", 0 <= b * (y - y0)**2, arithmetic("bend")),
            step("falls", falls, arithmetic("more")),
            step("all", around and solves and share and falls,
                 arithmetic("around", "solves", "share", "falls")),
        ],
    ),
    breaks=[
        edit("drop widest", "second", instance(
            a=2, c=0, m=0, x=0, s=2, t=1, A=1, B=1, C=2, D=1, y0=0, y=4, b=1, k=0)),
        edit("drop begins", "first", instance(
            a=2, c=0, m=0, x=9, s=1, t=1, A=1, B=1, C=2, D=1, y0=3, y=4, b=1, k=0)),
        edit("drop bend", "more", instance(
            a=2, c=0, m=0, x=0, s=1, t=2, A=1, B=1, C=2, D=1, y0=3, y=4, b=-1, k=0)),
    ],
)
