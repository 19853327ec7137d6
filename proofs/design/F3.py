"""F3: the zero test of exponential sums is complete."""
from pfverify.proof.language import *

k, l = indices("k l", "K")
c, r = functions("c r")
whole = total(c(k) * exp(r(k)), k)

Claim(
    id="F3", source=paper("design", "F3"), result=PROVED,
    words="A sum of rational multiples of exponentials of different rationals is 0 only if every "
          "coefficient is 0, and it is 0 then",
    printed=proved(
        given={"coefficients": rational(c(k)), "exponents": rational(r(k)),
               "collected": implies(k != l, r(k) != r(l))},
        example=[instance(K=[0, 1], c={0: 1, 1: -2}, r={0: 1, 1: 1/2}),
                 instance(K=[0], c={0: 0}, r={0: 1})],
        statement=implies(whole == 0, c(k) == 0),
        steps=[
            step("independent", implies(whole == 0, c(k) == 0), cite(
                "Lindemann-Weierstrass", "coefficients", "exponents", "collected",
                c=c, r=r, k=k, l=l)),
        ],
    ),
    tighter=proved(
        words="all coefficients 0 make the sum 0",
        given={"zero": c(k) == 0}, example=instance(K=[0, 1], c={0: 0, 1: 0}, r={0: 1, 1: 1/2}),
        statement=whole == 0,
        steps=[step("zero sum", whole == 0, integrate("zero", k, weight=exp(r(k))))],
    ),
    breaks=[edit("drop exponents", "independent")],
)
