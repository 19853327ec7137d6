"""Theorems of the literature that proofs may cite, each with the premises and what it gives.

A citation is an axiom: it is stated here once, as narrowly as the proofs need it, and its name
shows in every result that rests on it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sympy import Abs, exp, log
from sympy.core.function import UndefinedFunction

from pfverify.errors import InputError
from pfverify.proof.terms import Connective, Formula, Predicate, Term, Total, Variable, relation

Built = tuple[list[Formula], Formula]


@dataclass(frozen=True)
class Citation:
    """A theorem: its name in results, its reference, and its formulas for symbols of a file.

    `build` returns the premises, which must be facts, and the conclusion.
    """

    words: str
    reference: str
    build: Callable[[Mapping[str, Any]], Built]


def _two_indices(where: Mapping[str, Any]) -> tuple[Variable, Variable]:
    k, other = where["k"], where["l"]
    if not (_is_index(k) and _is_index(other)) or k.domain != other.domain or k == other:
        raise InputError("k and l must be two indices over one domain")
    return k, other


def _is_index(symbol: Any) -> bool:
    """Say whether a symbol runs over a finite domain (a draw may have any values, and masses)."""
    return type(symbol) is Variable and bool(symbol.domain)


def _independent(c: Term, k: Variable, value: Term) -> Formula:
    """The sum of c times the values is 0 only where every c is."""
    zero = relation("==", Total(c * value, k), 0)
    return Connective("implies", (zero, relation("==", c, 0)))


def _exponentials(where: Mapping[str, Any], kind: str) -> Built:
    """Coefficients and exponents are of one kind."""
    c, r, (k, other) = where["c"], where["r"], _two_indices(where)
    if not isinstance(r, UndefinedFunction):
        raise InputError("r must be a function")
    apart = Connective("implies", (relation("!=", k, other), relation("!=", r(k), r(other))))
    premises: list[Formula] = [Predicate(kind, c), Predicate(kind, r(k)), apart]
    return premises, _independent(c, k, exp(r(k)))


def _lindemann_weierstrass(where: Mapping[str, Any]) -> Built:
    if not isinstance(where["c"], UndefinedFunction):
        raise InputError("c must be a function")
    return _exponentials({**where, "c": where["c"](where["k"])}, "rational")


def _radical(where: Mapping[str, Any]) -> tuple[Any, Variable, Term, list[Formula]]:
    """The numbers b^s(k, b) multiplied over primes b, and what makes them radicals."""
    s, k, b = where["s"], where["k"], where["b"]
    if not isinstance(s, UndefinedFunction):
        raise InputError("s must be a function")
    if not (_is_index(k) and _is_index(b)) or k == b:
        raise InputError("k and b must be two indices")
    premises: list[Formula] = [
        Predicate("rational", where["c"]), Predicate("rational", s(k, b)), Predicate("prime", b),
    ]  # fmt: skip
    return s, b, exp(Total(s(k, b) * log(b), b)), premises


def _besicovitch(where: Mapping[str, Any]) -> Built:
    (k, other), (s, b, radical, premises) = _two_indices(where), _radical(where)
    apart = relation(">", Total(Abs(s(k, b) - s(other, b)), b), 0)
    below_one = Connective(
        "and", (relation("<=", 0, s(k, b)), relation("<", s(k, b), 1))
    )
    premises += [below_one, Connective("implies", (relation("!=", k, other), apart))]
    return premises, _independent(where["c"], k, radical)


def _algebraic(where: Mapping[str, Any]) -> Built:
    _, _, radical, premises = _radical(where)
    return premises, Predicate("algebraic", Total(where["c"] * radical, where["k"]))


CITATIONS: dict[str, Citation] = {
    "Lindemann-Weierstrass": Citation(
        "Lindemann-Weierstrass",
        "A. Baker, Transcendental Number Theory (1975), Theorem 1.4: exponentials of distinct "
        "algebraic numbers are linearly independent over the algebraic numbers",
        _lindemann_weierstrass,
    ),
    "Lindemann-Weierstrass-algebraic": Citation(
        "Lindemann-Weierstrass",
        "A. Baker, Transcendental Number Theory (1975), Theorem 1.4, with algebraic coefficients "
        "and exponents",
        lambda where: _exponentials(where, "algebraic"),
    ),
    "Besicovitch": Citation(
        "Besicovitch",
        "A. S. Besicovitch, On the linear independence of fractional powers of integers, J. London "
        "Math. Soc. 15 (1940): products of distinct primes' powers with exponents in [0, 1) are "
        "linearly independent over the rationals",
        _besicovitch,
    ),
    "algebraic-numbers": Citation(
        "that algebraic numbers are a field with roots",
        "S. Lang, Algebra (3rd ed. 2002), V.1: sums, products and roots of algebraic numbers are "
        "algebraic",
        _algebraic,
    ),
}
