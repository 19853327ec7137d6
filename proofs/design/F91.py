"""F91: around a place between atoms the integrand is G(T) (1 - T^2)^(-1/2) times what it is there.

In units of the scale p = A e^z + B e^-z and q = C e^z + D e^-z at a distance z from a place. With
T = tanh z, s = (A - B)/(A + B) and t = (C - D)/(C + D), both in [-1, 1], they are p and q at the
place times cosh z = (1 - T^2)^(-1/2) and 1 + s T, 1 + t T; and dz = dT/(1 - T^2). So what is
integrated over T is G (1 - T^2)^(-3/2) with G = (1 + s T)^a (1 + t T)^(1-a), which solves an
equation that gives its coefficients one by one:
(k+1) g_(k+1) = (a s + (1-a) t - k (s + t)) g_k + (2-k) s t g_(k-1).
For |T| = r < 1 the size of G is at most (1+r)^a (1-r)^(1-a), that of 1 - T^2 at least 1 - r^2.
open: that a coefficient of a power series is at most a bound on a circle over r^k (Cauchy), and to
compare coefficients of the equation

Symbols:
a: the order
z: how far from the place
A, B: what p is made of, there
T: tanh z, or any number that it may be
s, t: in [-1, 1]
"""
from pfverify.proof.language import *

(a, s, t), (A, B), (z, T) = constants("a s t"), positive("A B"), variables("z T")
cosh, tanh = (exp(z) + exp(-z)) / 2, (exp(z) - exp(-z)) / (exp(z) + exp(-z))
of_p = (A - B) / (A + B)
around = A * exp(z) + B * exp(-z) == (A + B) * cosh * (1 + of_p * tanh)
size = cosh**2 * (1 - tanh**2) == 1
ends = -1 <= of_p and of_p <= 1
G = exp(a * log(1 + s * T) + (1 - a) * log(1 + t * T))
here = -1 < T and T < 1
solves = implies(here, derivative(G, T) * (1 + s * T) * (1 + t * T)
                 == (a * s + (1 - a) * t + s * t * T) * G)

Claim(
    id="F91", source=paper("design", "F91"), result=PROVED,
    words="p is what it is at the place, times cosh z and 1 + s tanh z with s in [-1, 1]; and G' "
          "(1 + s T)(1 + t T) = (a s + (1-a) t + s t T) G",
    printed=proved(
        given={"s": -1 <= s and s <= 1, "t": -1 <= t and t <= 1},
        example=instance(a=2, s=1/2, t=-1, A=1, B=2),
        statement=around and size and ends and solves,
        steps=[
            step("around", around, arithmetic()),
            step("size", size, arithmetic()),
            step("ends", ends, arithmetic()),
            step("positive", implies(here, 1 + s * T > 0 and 1 + t * T > 0), arithmetic("s", "t")),
            step("solves", solves, arithmetic("positive")),
            step("all", around and size and ends and solves,
                 arithmetic("around", "size", "ends", "solves")),
        ],
    ),
    breaks=[edit("drop s", "positive"), edit("drop t", "positive")],
)
