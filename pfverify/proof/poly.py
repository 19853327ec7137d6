"""Polynomials in atoms with exponentials, exact: what normal forms are made of.

A `Poly` maps monomials to rational coefficients. A monomial is (powers of atoms, exponent): the
product of atoms to whole powers times e to a Poly. Products of exponentials merge
(e^a e^b = e^(a+b)).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

Atom = tuple[Any, ...]
Frozen = frozenset[Any]  # a Poly as a frozenset of items
Mono = tuple[frozenset[tuple[Atom, int]], Frozen]
Poly = dict[Mono, Fraction]

NO_EXPONENT: Frozen = frozenset()
UNIT: Mono = (frozenset(), NO_EXPONENT)
MAX_TERMS = 20_000
MAX_POWER = 40  # of a sum


class TooLarge(Exception):  # noqa: N818
    """A normal form would have too many terms."""


def constant(value: Fraction | int) -> Poly:
    """Return the Poly of a rational number."""
    return {UNIT: Fraction(value)} if value else {}


def atom(key: Atom, power: int = 1) -> Poly:
    """Return an atom to a whole power."""
    return {(frozenset({(key, power)}), NO_EXPONENT): Fraction(1)}


def add(a: Poly, b: Poly, factor: Fraction = Fraction(1)) -> Poly:
    """Return a + factor b."""
    total = dict(a)
    for mono, c in b.items():
        value = total.get(mono, Fraction(0)) + factor * c
        if value:
            total[mono] = value
        else:
            total.pop(mono, None)
    return total


def mul(a: Poly, b: Poly) -> Poly:
    """Return a b."""
    if len(a) * len(b) > MAX_TERMS:
        raise TooLarge("the normal form has too many terms")
    total: Poly = {}
    for m, c in a.items():
        for n, d in b.items():
            key = _times(m, n)
            total[key] = total.get(key, Fraction(0)) + c * d
    return {m: c for m, c in total.items() if c}


def power(a: Poly, k: int) -> Poly:
    """Return a to a whole power k >= 0."""
    if len(a) > 1 and k > MAX_POWER:
        raise TooLarge("a power of a sum is too large")
    result = constant(1)
    for _ in range(k):
        result = mul(result, a)
    return result


def frozen(a: Poly) -> Frozen:
    """Return a hashable form of a Poly."""
    return frozenset(a.items())


def thawed(a: Frozen) -> Poly:
    """Return the Poly of its hashable form."""
    return dict(a)


def _times(m: Mono, n: Mono) -> Mono:
    powers = dict(m[0])
    for key, k in n[0]:
        powers[key] = powers.get(key, 0) + k
    return (
        frozenset((key, k) for key, k in powers.items() if k),
        frozen(add(thawed(m[1]), thawed(n[1]))) if m[1] and n[1] else m[1] or n[1],
    )


def scaled(a: Poly, factor: Fraction) -> Poly:
    """Return factor a."""
    return {m: c * factor for m, c in a.items()} if factor else {}


def leaves(structure: Any) -> set[Any]:
    """Return the symbols inside a frozen structure."""
    if isinstance(structure, tuple) and len(structure) == 2 and structure[0] == "sym":
        return {structure[1]}
    if isinstance(structure, tuple | frozenset):
        return {s for part in structure for s in leaves(part)}
    return set()


def repr_key(structure: Any) -> str:
    """Return a text that orders frozen structures the same way in every run."""
    if isinstance(structure, frozenset):
        return "{" + ",".join(sorted(repr_key(part) for part in structure)) + "}"
    if isinstance(structure, tuple):
        return "(" + ",".join(repr_key(part) for part in structure) + ")"
    return f"{type(structure).__name__}:{structure}"
