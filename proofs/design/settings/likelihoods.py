"""The density of Laplace releases of one X on a path of outputs, up to what does not depend on X.

On the path j the output of a release r is a(j, r) and one over its scale w(j, r), also where
earlier outputs choose it. F is the likelihood of a value v; `bent` is what F40d shows of it.

Symbols:
r: a release
w: one over the scale of a release
a: the output of a release
c: what does not depend on X
"""
from pfverify.proof.language import *
from settings.many_releases import *

r, a, (w, c) = indices("r", "Releases"), functions("a"), masses("w c")
F, spent = exp(-total(w(j, r) * abs(a(j, r) - v), r)), total(w(j, r), r) <= kappa
F_up, F_back, density = at(F, {v: v + h}), at(F, {v: v - h}), L(j, v) == c(j) * F
bent = t * F <= F_up <= F / t and t * F <= F_back <= F / t and F_up * F_back <= F**2
as_F40d = {"j": r, "w": maps(r, w(j, r)), "y": maps(r, a(j, r))}
