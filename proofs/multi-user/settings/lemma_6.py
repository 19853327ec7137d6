"""Lemma 6: a user as in settings/bernoulli.py, for the letters k of a set X.

n is a member of X, n - 1 the largest sum of the others' reports (`largest`). `as_printed` is (21)'s
psi, which divides f by f one step before, as the paper has it, case by case. Its scale, the largest
of some 1/log, is written as e^(1/theta), the smallest of what these log are of: T_k (`scale_21`: at
most these).

Symbols:
k: a letter
n: one more than the largest sum of the others' reports
"""
from pfverify.proof.language import *
from settings.bernoulli import *

k, n = indices("k", "X"), member("n", "X")
at_k, before = at(f_x, {x: k}), at(f_x, {x: k - 1})
psi = ((1 - maximum(p, q)) * at_k / before + minimum(p, q)) / abs(p - q)
as_printed = implies(before > 0, (
    p >= q or psi == ((1 - q) * at_k / before + p) / (q - p)) and (
    p <= q or psi == ((1 - p) * at_k / before + q) / (p - q)))
T_k = E + (E - 1) * psi
scale_21 = implies(before > 0, exp(1 / theta) <= T_k)
collapsed = (E * maximum(p, q) - minimum(p, q)) / abs(p - q)
different, largest = probabilities and p != q, r <= n - 1 and at(f_x, {x: n - 1}) > 0
