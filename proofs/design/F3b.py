"""F3: the zero test is complete with roots and logarithms of rationals in the exponents."""
from pfverify.proof.language import *

i, j = indices("i j", "J")  # groups of one r(j), a sum of multiples of roots
k, l = indices("k l", "K")  # the radicals: products of prime powers b^s(k, b)
b = indices("b", "B")
c, r, s = functions("c r s")
radical = exp(total(s(k, b) * log(b), b))
group = total(c(j, k) * radical, k)
whole = total(c(j, k) * radical * exp(r(j)), j, k)

Claim(
    id="F3b", source=paper("design", "F3"), result=PROVED,
    words="A sum of rational multiples of e^r times powers b^s of primes b (r algebraic, s "
          "rational in [0, 1)), collected by r and by s, is 0 only if every coefficient is 0",
    open="that a coprime base without perfect powers serves as the primes do; sums of roots differ",
    printed=proved(
        given={"coefficients": rational(c(j, k)), "exponents": algebraic(r(j)),
               "collected": implies(j != i, r(j) != r(i)),
               "powers": rational(s(k, b)), "primes": prime(b), "positive": b > 0,
               "reduced": 0 <= s(k, b) and s(k, b) < 1,
               "other radicals": implies(k != l, total(abs(s(k, b) - s(l, b)), b) > 0)},
        example=[instance(J=[0, 1], K=[0, 1], B=[2, 3], r={0: 0, 1: 1/2},
                          c={(0, 0): 1, "else": 2}, s={(1, 2): 1/2, (1, 3): 2/3, "else": 0}),
                 instance(J=[0], K=[0], B=[2], r={0: 1}, c={(0, 0): 0}, s={(0, 2): 1/2})],
        statement=implies(whole == 0, c(j, k) == 0),
        steps=[
            step("algebraic", algebraic(group), cite(
                "algebraic-numbers", "coefficients", "powers", "primes",
                c=c(j, k), s=s, k=k, b=b)),
            step("groups", implies(total(group * exp(r(j)), j) == 0, group == 0), cite(
                "Lindemann-Weierstrass-algebraic", "algebraic", "exponents",
                "collected", c=group, r=r, k=j, l=i)),
            step("in a group", implies(group == 0, c(j, k) == 0), cite(
                "Besicovitch", "coefficients", "powers", "primes", "reduced", "other radicals",
                c=c(j, k), s=s, k=k, l=l, b=b)),
            step("all", implies(whole == 0, c(j, k) == 0), arithmetic("groups", "in a group")),
        ],
    ),
    breaks=[edit("drop primes", "algebraic")],
)
