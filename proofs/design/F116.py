"""F116: R of densities that end, or that steps keep in part, is a sum over pieces and outputs.

Cut at all atoms, at the ends of the noise around them and of parts, a line has pieces on which
each density is A e^u + B e^-u with A, B >= 0: it is 0 on all of a piece or on none of it. So where
q is 0 on a piece and p is not, R is infinite; else the piece is as one between atoms (F91 and F92,
where a coefficient may be 0). A part that becomes one output adds the term of its masses. All may
be known up to one factor: the term of both masses times that is the factor times the term.

Symbols:
a: the order
A, B: what a density is made of on a piece
u: a place on it
c, p, q: the logarithms of a factor that both laws share, and of both densities, or masses
"""
from pfverify.proof.language import *

a, A, B, c, p, q = constants("a A B c p q")
u = variables("u")
there = implies(0 < A + B, 0 < A * exp(u) + B * exp(-u))
shared = exp(a * (c + p) + (1 - a) * (c + q)) == exp(c) * exp(a * p + (1 - a) * q)

Claim(
    id="F116", source=paper("design", "F116"), result=PROVED,
    words="A density that is not 0 on a piece is 0 nowhere on it, and a factor that both laws "
          "share is one of the term",
    printed=proved(
        given={"up": 0 <= A, "down": 0 <= B},
        example=instance(a=2, A=1, B=0, c=2, p=1, q=3),
        statement=there and shared,
        steps=[
            step("there", there, arithmetic("up", "down")),
            step("shared", shared, arithmetic()),
            step("all", there and shared, arithmetic("there", "shared")),
        ],
    ),
    breaks=[edit("drop up", "there"), edit("drop down", "there")],
)
