"""Why no gaussian noise meets delta = 0: one value of the moment generating functions.

As in `rules`: a rule takes a goal and a step, and returns the names of the facts it used or raises
Rejected.  Notation: that of `smooth`.
"""

from __future__ import annotations

from fractions import Fraction

from core.enclose import Arithmetic
from core.grammar import Malformed
from core.logarithms import log_form
from core.rules import Facts, Rejected, Step
from core.shapes import canonical_rational, integer
from core.smooth import Normals, integral, terms
from core.value import form_of
from core.zero import Form, constant, sign_of_sum, times

MAX_LENGTH = 2048  # bits of a numerator or denominator of t
MAX_EXPONENT = 1 << 32  # of an exponent t m + t^2 v / 2, or of a power of e^(t/c)
MAX_WORK = 1 << 40  # squared bits times components


def _point(step: Step) -> tuple[Fraction, Fraction]:
    """(c, u), u > 0: t = c log u; u = 1 stands for t = c."""
    found = []
    for key in ("t", "log"):
        x = canonical_rational("1" if step[key] is None and key == "log" else step[key], key)
        if max(x.numerator.bit_length(), x.denominator.bit_length()) > MAX_LENGTH:
            raise Rejected(f"{key} of more than {MAX_LENGTH} bits is refused")
        found.append(x)
    if found[1] <= 0 or (found[1] == 1 and step["log"] is not None):
        raise Malformed("log must be null, or a positive rational other than 1")
    return found[0], found[1]


def moment(goal: Normals, step: Step) -> Facts:
    """
    gaussian noise     delta = 0     mu != 0
    M(t) = integral of e^(t x) dmu >= 0  at one real t
    --------------------------------------------------- MGF
    no scale satisfies the goal

    If g = K*mu <= 0 everywhere then the integral of e^(t y) g(y), which is M(t) e^(t^2 s/2) with s
    the variance of the noise, is < 0: g is continuous, and not 0 everywhere as mu is not (the
    characteristic function of the noise has no zero).  N(m, v) has e^(t m + t^2 v/2).  t = c log u
    is for priors of atoms, where M is a sum of radicals.
    """
    if not goal.P.spread or not goal.delta_is_zero:
        raise Rejected("moments refute every scale of gaussian noise with delta = 0 only")
    c, u = _point(step)
    bits, parts = integer(step["bits"], "bits", 32, 200_000), [*goal.P.components]
    parts += goal.Q.components
    if bits * bits * len(parts) > MAX_WORK:
        raise Rejected("so many bits for so many components are refused")
    ar, epsilon = Arithmetic(bits), form_of(goal.epsilon)
    if not terms(goal, epsilon, ar):
        raise Rejected("the priors do not differ from each other")
    origin = goal.P.components[0][0]  # a shift of both priors multiplies M by a positive number
    total = integral(goal, epsilon, lambda m, v: _exponent(c, u, m - origin, v))
    if sign_of_sum(total, ar) < 0:
        raise Rejected("the moment generating functions keep the bound at t")
    return {"MGF"}


def _exponent(c: Fraction, u: Fraction, mean: Fraction, variance: Fraction) -> Form:
    """t mean + t^2 variance / 2."""
    if u != 1 and variance:
        raise Rejected("a logarithm is for priors of atoms")
    x = c * mean + (c * c * variance / 2 if u == 1 else 0)
    if abs(x) > MAX_EXPONENT:
        raise Rejected("so large an exponent is refused")
    return constant(x) if u == 1 else times(log_form(u), x)
