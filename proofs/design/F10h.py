"""F10: on the line a plan that moves mass in one direction only has the least mean distance."""
from pfverify.proof.language import *

a, b = indices("a b", "X")
pi, rho = masses("pi rho")
more = rho(a, b) - pi(a, b)

Claim(
    id="F10h", source=paper("design", "F10"), result=PROVED,
    words="A plan that moves mass only to the right is at least as cheap as any with the same "
          "priors: the mean of |x - x'| is the mean of x' - x, which all of them share",
    printed=proved(
        given={"first prior": total(more, b) == 0, "second prior": total(more, a) == 0,
               "rightwards": pi(a, b) == 0 or a <= b},
        example=instance(X=[0, 1, 2], pi={(0, 1): 1/2, (1, 2): 1/2},
                         rho={(0, 2): 1/2, (1, 1): 1/2}),
        statement=0 <= total(more * abs(a - b), a, b),
        steps=[
            step("gap", more * (b - a) <= more * abs(a - b), arithmetic("rightwards")),
            step("cost", total(more * (b - a), a, b) <= total(more * abs(a - b), a, b),
                 integrate("gap", a, b)),
            step("mean a", total(more * a, a, b) == 0, integrate("first prior", a, weight=a)),
            step("mean b", total(more * b, a, b) == 0, integrate("second prior", b, weight=b)),
            step("all", 0 <= total(more * abs(a - b), a, b),
                 arithmetic("cost", "mean a", "mean b")),
        ],
    ),
    breaks=[
        edit("drop rightwards", "gap", instance(
            X=[0, 1], pi={(0, 1): 1/2, (1, 0): 1/2}, rho={(0, 0): 1/2, (1, 1): 1/2})),
    ],
)
