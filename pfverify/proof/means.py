"""Which means have a value: those of what is bounded, or of that times what has a known mean.

A mean has a value where the mean of the absolute value is finite, over all its draws together: only
then is it linear, term by term, and free of the order of the draws. Functions are taken to be
measurable.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from fractions import Fraction
from itertools import permutations
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from pfverify.proof.bounded import improper
from pfverify.proof.heads import AtLeastZero
from pfverify.proof.normal import averaged, normal, renamed
from pfverify.proof.poly import (
    NO_EXPONENT,
    Atom,
    Frozen,
    Mono,
    Poly,
    atom,
    frozen,
    leaves,
    mul,
    power,
    scaled,
    thawed,
)
from pfverify.proof.terms import (
    Area,
    Draw,
    Formula,
    Mean,
    Predicate,
    Relation,
    Term,
    Total,
    Variable,
    is_mass,
    is_positive,
    joined,
    substituted,
    variables_of,
)


def valueless(term: Term, shown: Collection[Any], facts: Iterable[Formula]) -> Iterator[Term]:
    """Yield the integrals and means in a term that are not shown to have a value.

    `shown` are integrals, and means by their `mean_key`; the facts may bound functions.
    """
    known = [area for area in shown if isinstance(area, Area)]
    for area in improper(term):
        if not any(_is_case(area, general) for general in known):
            yield area
    means = {p for p in sp.preorder_traversal(term) if isinstance(p, Mean)}
    if means:
        scope = _Scope(shown, facts)
        yield from (p for p in means if not all(
            scope.has_mean(key) for form in _by_terms(p) for powers, _ in form for key, _ in powers
            if key[0] == "total"))  # fmt: skip


def _by_terms(mean: Term) -> Iterator[Poly]:
    """The normal forms of the means of each term of what a mean is of.

    Of all together, f(r, s) - f(s, r) would be 0: where draws change places, what has no mean
    cancels.
    """
    body, draws = mean, []
    while isinstance(body, Mean):
        body, draw = body.args
        draws.append(draw)
    for mono, c in normal(body).items():
        form = {mono: c}
        for draw in reversed(draws):
            form = averaged(form, draw)
        yield form


def _is_case(area: Term, general: Term) -> bool:
    """Say whether an integral is one that exists for all real variables in it, at other symbols."""
    free = [v for v in variables_of(general) if not v.domain and v not in area.free_symbols]
    others = area.free_symbols - general.free_symbols
    return bool(area == general) or any(
        substituted(general, dict(zip(free, choice, strict=True))) == area
        for choice in permutations(others, len(free)) if free
    )


def mean_key(term: Term) -> Atom | None:
    """Return the atom that a mean of one product is in normal forms, None for any other term.

    Positive constants may stand before it.
    """
    body = term
    while isinstance(body, Mean):
        body = body.args[0]
    if not isinstance(term, Mean) or body.has(Total):
        return None
    poly = normal(term)
    if len(poly) != 1 or len(normal(body)) != 1:  # draws may change places: see `_by_terms`
        return None
    ((powers, _),) = poly
    rest = [(key, k) for key, k in powers if not (key[0] == "sym" and is_positive(key[1]))]
    return rest[0][0] if len(rest) == 1 and rest[0][0][0] == "total" and rest[0][1] == 1 else None


def assumed_means(formula: Formula) -> set[Atom]:
    """Return the means that have a value if a hypothesis holds, as it says so."""
    keys = {mean_key(part.term) for part in joined(formula)
            if isinstance(part, Predicate) and part.name == "integrable"}  # fmt: skip
    return {key for key in keys if key is not None}


class _Scope:
    """What is known where a term stands: means that exist, and functions that are bounded."""

    def __init__(self, shown: Collection[Any], facts: Iterable[Formula]) -> None:
        self._means = [key for key in shown if isinstance(key, tuple)]
        self._bounds = {b for fact in facts for part in joined(fact) for b in _bounds(part)}

    def has_mean(self, key: Atom) -> bool:
        """Say whether the mean of a monomial exists: a bounded one, times a known one or 1."""
        drawn = [place for place in key[1] if place.kind is Draw]
        whole = _without_bars(key[2])
        rests = [key[2]]
        for _, places, mono in self._means:
            for chosen in permutations(drawn, len(places)):
                if all(a.domain == b.domain for a, b in zip(places, chosen, strict=True)):
                    known = renamed(mono, dict(zip(places, chosen, strict=True)))
                    rests.append(_quotient(whole, _without_bars(known)))
        return any(self._bounded_mono(rest, {*drawn}) for rest in rests)

    def _bounded(self, poly: Frozen, drawn: set[Any]) -> bool:
        return all(self._bounded_mono(mono, drawn) for mono in thawed(poly))

    def _bounded_mono(self, mono: Mono, drawn: set[Any]) -> bool:
        powers, exponent = mono
        return all(
            not leaves(key) & drawn or (k > 0 and self._bounded_atom(key, drawn))
            for key, k in powers
        ) and all(
            (c < 0 and _at_least_zero(m)) or self._bounded_mono(m, drawn) for m, c in exponent
        )

    def _bounded_atom(self, key: Atom, drawn: set[Any]) -> bool:
        if key[0] in ("Max", "Min"):
            return all(self._bounded(u, drawn) for u in key[1])
        if key[0] in ("abs", "root"):
            return self._bounded(key[1], drawn)
        if key[0] != "app":
            return bool(key[0] == "cdf")
        name, arguments = key[1], key[2]
        return name == AtLeastZero.__name__ or any(
            name == known and all(map(_runs_over, arguments, domains))
            for known, domains in self._bounds if len(domains) == len(arguments)
        )


def _runs_over(argument: Frozen, domain: str) -> bool:
    """Say whether an argument runs over no more than a domain ("": any number does)."""
    return not domain or any(
        argument == frozen(atom(("sym", s))) and getattr(s, "domain", "") == domain
        for s in leaves(argument)
    )


def _bounds(fact: Formula) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The functions, with the domains of their arguments, that a fact f <= c or |f| <= c bounds."""
    if not isinstance(fact, Relation) or fact.op not in ("<=", "<"):
        return
    f = fact.left.args[0] if isinstance(fact.left, sp.Abs) else fact.left
    if not isinstance(f, AppliedUndef) or not (is_mass(f) or isinstance(fact.left, sp.Abs)):
        return
    every = all(isinstance(a, Variable) for a in f.args) and len({*f.args}) == len(f.args)
    if every and not {*f.args} & fact.right.free_symbols:
        yield f.func.__name__, tuple(a.domain for a in f.args)


def _at_least_zero(mono: Mono) -> bool:
    """Say whether a product of powers and an exponential is evidently not negative."""
    return all(
        k % 2 == 0
        or key[0] in ("abs", "root", "cdf", "pi")
        or (key[0] == "total" and _at_least_zero(key[2]))
        or (key[0] == "sym" and is_positive(key[1]))
        or (key[0] == "app" and (key[3] or key[1] == AtLeastZero.__name__))
        for key, k in mono[0]
    )


def _without_bars(mono: Mono) -> Mono:
    """The product with u in place of |u|, which has a mean where this has."""
    result: Poly = {(NO_EXPONENT, mono[1]): Fraction(1)}
    for key, k in mono[0]:
        bare = key[0] == "abs" and len(key[1]) == 1 and k > 0
        factor = power({next(iter(key[1]))[0]: Fraction(1)}, k) if bare else atom(key, k)
        result = mul(result, factor)
    return next(iter(result))


def _quotient(a: Mono, b: Mono) -> Mono:
    inverse = (
        frozenset((key, -k) for key, k in b[0]),
        frozen(scaled(thawed(b[1]), Fraction(-1))),
    )
    (mono,) = mul({a: Fraction(1)}, {inverse: Fraction(1)})
    return mono
