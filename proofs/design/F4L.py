"""F4L: on a lattice the positive part between two atoms is a sum with a bound that has roots.

Where its ends have different signs g is A t^i - B/t^i up to a constant, i steps after the positive
end (or mirrored), t = e^(-step/theta): it falls, so that the positive part is a sum up to some
point. Points where g is at least 0 are summed as they are, those beyond the atoms as in F45e.

Symbols:
kappa: the step over the scale
A: the sum at the positive end
B: minus that at the other, decayed to it
w: any number > 0
v: any number
i, a, k: steps after that end
o, n: the first of them and the last one
"""
from pfverify.proof.language import *

(kappa, A, B, w), v = positive("kappa A B w"), variables("v")
(i, a, k), (o, n) = indices("i a k", "X"), member("o n", "X")
t, power = exp(-kappa), exp(-n * kappa)
g = A * exp(-i * kappa) - B * exp(i * kappa)
sums = (1 - t) * total(g, i) == (1 - power) * (A * t - B / power)
bound = (1 - w) * (A * t - B / w) <= (sqrt(A * t) - sqrt(B))**2
falls = implies(a < i, g <= at(g, {i: a}))

Claim(
    id="F4L", source=paper("design", "F4L"), result=PROVED,
    words="With g(i) = A t^i - B t^-i the sum of (1 - t) g over 1, ..., n is (1 - v) (A t - B/v), "
          "v = t^n, which for every v > 0 is at most (sqrt(A t) - sqrt(B))^2, and g falls: so that "
          "is a bound of the positive part in a gap",
    printed=proved(
        given={"steps": is_chain([a, k], [o, n]), "first": o == 1},
        example=instance(kappa=1, A=2, B=1, w=1/2, X=[1, 2], o=1, n=2),
        statement=sums and bound and falls,
        steps=[
            step("up", total(exp(-i * kappa) - exp(-(i - 1) * kappa), i)
                 == exp(-n * kappa) - exp(-(o - 1) * kappa), theorem("F10a", {
                     "h": 1, "f": maps(v, exp(-v * kappa))}, "steps")),
            step("down", total(exp(i * kappa) - exp((i - 1) * kappa), i)
                 == exp(n * kappa) - exp((o - 1) * kappa), theorem("F10a", {
                     "h": 1, "f": maps(v, exp(v * kappa))}, "steps")),
            step("o", exp((o - 1) * kappa) == 1 == exp(-(o - 1) * kappa), arithmetic("first")),
            step("sums", sums, arithmetic("up", "down", "o")),
            step("roots", (sqrt(A * t) * w - sqrt(B))**2 >= 0, arithmetic()),
            step("bound", bound, arithmetic("roots")),
            step("falls", falls, arithmetic()),
            step("all", sums and bound and falls, arithmetic("sums", "bound", "falls")),
        ],
    ),
    breaks=[edit("drop first", "o"), edit("drop steps", "up")],
)
