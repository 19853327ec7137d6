"""Derivatives, and limits at infinity, of terms that are smooth everywhere.

Own rules, so that a kink (|u|, max, an indicator), a pole or an unknown function is refused and
not differentiated in silence.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from operator import sub
from typing import Any

import sympy as sp

from pfverify.proof.heads import OWN_NAMES, head_of
from pfverify.proof.poly import (
    Atom,
    Mono,
    Poly,
    add,
    atom,
    constant,
    leaves,
    mul,
    power,
    thawed,
)
from pfverify.proof.terms import (
    Draw,
    Mean,
    Relation,
    Term,
    Total,
    combined,
    exponential,
    mass_function,
    real_function,
    relation,
)
from pfverify.proof.terms import power as power_of

Shows = Callable[[Relation], bool]


class NotSmooth(ValueError):  # noqa: N818
    """A term is not of the kind that is differentiated, or has no limit that could be shown."""


def derived(term: Term, v: Any) -> Term:
    """Return the derivative of a term by a real variable.

    Raises NotSmooth at |u|, max, indicators, integrals and unknown functions of the variable.
    Example: ``derived(sp.Symbol("y") ** 2, sp.Symbol("y"))`` is ``2 * sp.Symbol("y")``.
    """
    if v not in term.free_symbols:
        return sp.Integer(0)
    if term == v:
        return sp.Integer(1)
    if term.is_Add:
        return sp.Add(*(derived(part, v) for part in term.args))
    if term.is_Mul:
        return sp.Add(*(
            sp.Mul(*term.args[:k], derived(part, v), *term.args[k + 1 :])
            for k, part in enumerate(term.args)
        ))  # fmt: skip
    if isinstance(term, Total) and not isinstance(term, Mean):
        return Total(derived(term.args[0], v), term.args[1])
    if term.is_Pow:
        base, exponent = term.args
        if exponent.is_Rational:
            less = combined(sub, exponent, sp.Integer(1))
            return exponent * power_of(base, less) * derived(base, v)
        if v not in base.free_symbols:
            return term * sp.log(base) * derived(exponent, v)
        return term * derived(exponent * sp.log(base), v)
    head = head_of(term)
    if head is not None and head.slope is not None:
        return head.slope(term.args[0]) * derived(term.args[0], v)
    raise NotSmooth(f"{term} is not differentiated by {v}")


def is_smooth(poly: Poly, v: Any) -> bool:
    """Say whether a normal form is made of whole powers of v, e^u and normal_cdf(u) only.

    (u of the same kind, also inside finite sums; what does not depend on v may be anything). It is
    smooth for every v.
    """
    return all(
        all(v not in leaves(key) or (k > 0 and _smooth_atom(key, v)) for key, k in powers)
        and is_smooth(thawed(exponent), v)
        for powers, exponent in poly
    )


def _smooth_atom(key: Atom, v: Any) -> bool:
    if key[0] == "total" and not any(place.kind is Draw for place in key[1]):
        return is_smooth({key[2]: Fraction(1)}, v)
    return key == ("sym", v) or (key[0] == "cdf" and is_smooth(thawed(key[1]), v))


def limit(poly: Poly, v: Any, upwards: bool, shows: Shows) -> Poly:
    """Return the limit of a smooth normal form as v goes to oo (or -oo).

    Arguments of normal_cdf must be linear in v with a slope of known sign: one that goes to oo
    becomes 1 - P(Z > u), and P(Z > u) <= e^(-u^2/2) for u >= 0. Then every product that still has v
    must vanish: its exponents add up to a v^2 + c v with a < 0, or a = 0 and c of the right sign.
    Raises NotSmooth otherwise.
    """
    slopes: dict[Atom, Poly] = {}  # of the small factors P(Z > u)
    opened: Poly = {}
    for (powers, exponent), c in poly.items():
        product: Poly = {(frozenset(), exponent): c}
        for key, k in powers:
            factor = atom(key)
            if v in leaves(key) and key[0] == "cdf":
                factor = _opened(key, v, upwards, shows, slopes)
            product = mul(product, power(factor, k) if k > 0 else atom(key, k))
        opened = add(opened, product)
    return {m: c for m, c in opened.items() if not _vanishes(m, v, upwards, shows, slopes)}


def _opened(key: Atom, v: Any, upwards: bool, shows: Shows, slopes: dict[Atom, Poly]) -> Poly:
    parts = in_powers(thawed(key[1]), v)
    slope = parts.get(1, {})
    if set(parts) - {0, 1} or not slope:
        raise NotSmooth("an argument of normal_cdf is not linear")
    rises = shows(relation(">", written(slope), 0))
    if not rises and not shows(relation("<", written(slope), 0)):
        raise NotSmooth("the sign of a slope in normal_cdf is not shown")
    small: Atom = ("small", key[1], rises == upwards)
    slopes[small] = slope
    if rises == upwards:
        return add(constant(1), atom(small), Fraction(-1))
    return atom(small)


def _vanishes(
    mono: Mono, v: Any, upwards: bool, shows: Shows, slopes: dict[Atom, Poly]
) -> bool:
    if v not in leaves(mono):
        return False
    parts = in_powers(thawed(mono[1]), v)
    bend, rate = parts.get(2, {}), parts.get(1, {})
    if set(parts) - {0, 1, 2}:
        raise NotSmooth("an exponent has no limit that is known here")
    if any(v in leaves(key) and key != ("sym", v) and key not in slopes for key, _ in mono[0]):
        raise NotSmooth("a sum has no limit that is known here")
    small = [(key, k) for key, k in mono[0] if key in slopes]
    for key, k in small:
        bend = add(bend, mul(slopes[key], slopes[key]), Fraction(-k, 2))
    if bend and shows(relation("<", written(bend), 0)):
        return True
    linear = bool(rate) and not parts.get(2) and not small
    if linear and shows(relation("<" if upwards else ">", written(rate), 0)):
        return True
    raise NotSmooth("a term of the antiderivative does not vanish at infinity")


def in_powers(poly: Poly, v: Any) -> dict[int, Poly]:
    """Return a polynomial in v as {power: coefficient}. Raises NotSmooth for anything else."""
    found: dict[int, Poly] = {}
    for (powers, exponent), c in poly.items():
        k = dict(powers).get(("sym", v), 0)
        rest = (frozenset(p for p in powers if p[0] != ("sym", v)), exponent)
        if k < 0 or v in leaves(rest):
            raise NotSmooth("an exponent has no limit that is known here")
        found[k] = add(found.get(k, {}), {rest: c})
    return {k: coefficient for k, coefficient in found.items() if coefficient}


def written(poly: Poly) -> Term:
    """Return a term of this normal form. Raises NotSmooth for sums and integrals."""
    total: Term = sp.Integer(0)
    for (powers, exponent), c in poly.items():
        part: Term = sp.Rational(c.numerator, c.denominator)
        for key, k in powers:
            part = part * _atom(key) ** k
        total = total + part * (exponential(written(thawed(exponent))) if exponent else 1)
    return total


def _atom(key: Atom) -> Term:
    if key[0] == "sym":
        return key[1]
    if key == ("pi",):
        return sp.pi
    if key[0] == "inv":
        return 1 / written(thawed(key[1]))
    if key[0] == "root":
        return power_of(written(thawed(key[1])), sp.Rational(1, key[2]))
    if key[0] == "app" and key[1] not in OWN_NAMES:
        function = mass_function(key[1]) if key[3] else real_function(key[1])
        return function(*(written(thawed(u)) for u in key[2]))
    raise NotSmooth("a coefficient is not made of symbols and functions")

