"""Footnote 3: the four values of the joint distribution function give half-open rectangles."""
from pfverify.proof.language import *

u, v = variables("u v")
a, b = indices("a b", "X")
x1, x2, z1, z2 = constants("x1 x2 z1 z2")
pi = masses("pi")
J = total(pi(a, b) * indicator(u - a) * indicator(v - b), a, b)
four = (at(J, {u: x2, v: z2}) - at(J, {u: x1, v: z2})
        - at(J, {u: x2, v: z1}) + at(J, {u: x1, v: z1}))
ordered = x1 < x2 and z1 < z2
closed = (indicator(x2 - a) * indicator(a - x1)) * (indicator(z2 - b) * indicator(b - z1))
half_open = (indicator(x2 - a) * (1 - indicator(x1 - a))
             * indicator(z2 - b) * (1 - indicator(z1 - b)))

Claim(
    id="N40", source=paper("noise-reduction", "footnote 3"), result=REPAIRED,
    words="Four values of the joint distribution function give the mass of the closed rectangle "
          "from (x1, x1') to (x2, x2')",
    printed=refuted(
        words="It fails for one atom in the lower corner of the rectangle",
        given={"ordered": ordered, "a joint distribution": total(pi(a, b), a, b) == 1},
        statement=total(pi(a, b) * closed, a, b) == four,
        instance=instance(X=[0, 1], x1=0, x2=1, z1=0, z2=1, pi={(0, 0): 1}),
    ),
    corrected=proved(
        words="They give the mass of the rectangle without its lower sides",
        given={"ordered": ordered},
        example=instance(X=[0, 1], x1=0, x2=1, z1=0, z2=1, pi={(0, 0): 1}),
        statement=total(pi(a, b) * half_open, a, b) == four,
        steps=[
            step("sides", half_open == (indicator(x2 - a) - indicator(x1 - a))
                 * (indicator(z2 - b) - indicator(z1 - b)), arithmetic("ordered")),
            step("rectangle", total(pi(a, b) * half_open, a, b) == four,
                 integrate("sides", a, b, weight=pi(a, b))),
        ],
    ),
    breaks=[
        edit("drop ordered", "sides",
             instance(X=[0, 1], x1=1, x2=0, z1=1, z2=0, pi={(1, 1): 1})),
    ],
)
