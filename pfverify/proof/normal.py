"""A normal form of terms by exact polynomial arithmetic: our own, no simplifier is trusted.

A normal form is a `Poly`, whose atoms stand for what is not a polynomial: symbols, applied
functions, |u|, max, log, roots, inverses of sums, integrals, sums over indices, pi, the normal
distribution function. Factors without the index leave a sum, nested sums are ordered canonically.
Two terms with the same normal form are equal wherever their denominators are not 0 and the
radicands of their roots not negative; nothing is said of the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count, permutations
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from pfverify.proof.heads import application, head_of, logarithm
from pfverify.proof.poly import (
    NO_EXPONENT,
    UNIT,
    Atom,
    Frozen,
    Mono,
    Poly,
    TooLarge,
    add,
    atom,
    constant,
    frozen,
    leaves,
    mul,
    power,
    repr_key,
    scaled,
    thawed,
)
from pfverify.proof.terms import (
    Area,
    Connective,
    Draw,
    Formula,
    Relation,
    Total,
    Variable,
    is_mass,
    joined,
)


def normal(term: Any) -> Poly:
    """Return the normal form of a term.

    Example: ``normal(sp.Symbol("x") + sp.Symbol("x")) == normal(2 * sp.Symbol("x"))`` is True.
    """
    if term.is_Rational:
        return constant(Fraction(int(term.p), int(term.q)))
    if term.is_Symbol:
        return atom(("sym", term))
    if term is sp.E:
        return {(frozenset(), frozen(constant(1))): Fraction(1)}
    if term.is_Add:
        total: Poly = {}
        for part in term.args:
            total = add(total, normal(part))
        return total
    if term.is_Mul:
        product = constant(1)
        for part in term.args:
            product = mul(product, normal(part))
        return product
    if term.is_Pow:
        return _power(normal(term.args[0]), term.args[1])
    if isinstance(term, Total):
        return averaged(normal(term.args[0]), term.args[1])
    if isinstance(term, Area):
        body, variable, low, high = term.args
        return _area(normal(body), variable, frozen(normal(low)), frozen(normal(high)))
    if term in (sp.oo, -sp.oo):
        return atom(("infinity", term > 0))
    if term is sp.pi:
        return atom(("pi",))
    arguments = [normal(a) for a in term.args]
    if head := head_of(term):
        return head.form(*arguments)
    if isinstance(term, AppliedUndef):  # a mass is no function
        return application(term.func.__name__, *arguments, mass=is_mass(term))
    raise TypeError(f"the term {term} is not in the language of proofs")


def equal(a: Any, b: Any) -> bool:
    """Say whether two terms have the same normal form after inverses are cleared."""
    return not cleared(normal(a - b))


def same(a: Formula, b: Formula) -> bool:
    """Say whether two formulas are the same, relations up to their normal form."""
    if a == b:
        return True
    if isinstance(a, Relation) and isinstance(b, Relation) and a.op == b.op:
        return not cleared(normal(a.right - a.left - b.right + b.left))
    if isinstance(a, Connective) and isinstance(b, Connective):
        return (a.op, len(a.parts)) == (b.op, len(b.parts)) and all(
            same(x, y) for x, y in zip(a.parts, b.parts, strict=True)
        )
    return False


def concluded(formula: Formula, facts: Sequence[Formula]) -> bool:
    """Say whether each formula that this one joins by `and` is one that a fact joins."""
    known = [part for fact in facts for part in joined(fact)]
    return all(any(same(part, other) for other in known) for part in joined(formula))


def cleared(a: Poly) -> Poly:
    """Return a multiplied by the denominators that are sums, until there is none.

    Zero exactly when a is (where these denominators are not 0)."""
    for _ in range(50):
        a = _without_roots(a)  # an even power of a root of a sum may be an inverse of the sum
        key = next((k for m in a for k, n in m[0] if k[0] == "inv" and n > 0), None)
        if key is None:
            return _same_arguments(a)
        top = max(dict(m[0]).get(key, 0) for m in a)
        total: Poly = {}
        for m, c in a.items():
            k = dict(m[0]).get(key, 0)
            rest = (frozenset((x, n) for x, n in m[0] if x != key), m[1])
            total = add(total, mul({rest: c}, power(thawed(key[1]), top - k)))
        a = total
    raise TooLarge("denominators are nested too deeply")


def _without_roots(a: Poly) -> Poly:
    """The q-th power of a q-th root is its radicand."""
    while True:
        found = next(
            ((m, k, n) for m in a for k, n in m[0] if k[0] == "root" and abs(n) >= k[2]), None
        )
        if found is None:
            return a
        mono, key, n = found
        whole = n // key[2] if n > 0 else -(-n // key[2])
        left = {(key, k) for k in [n - whole * key[2]] if k}
        rest = (frozenset({x for x in mono[0] if x[0] != key} | left), mono[1])
        radicand = thawed(key[1])
        value = power(radicand, whole) if whole > 0 else power(_inverse(radicand), -whole)
        c = a[mono]
        a = add({m: v for m, v in a.items() if m != mono}, mul({rest: c}, value))


def _same_arguments(a: Poly) -> Poly:
    """Exponents (and arguments of the normal distribution function) that are equal become one."""
    if len(a) < 2:
        return a
    names: dict[Frozen, Frozen] = {}

    def one(u: Frozen) -> Frozen:
        if u not in names:
            names[u] = next(
                (k for k in names.values() if not cleared(add(thawed(k), thawed(u), Fraction(-1)))),
                u,
            )
        return names[u]

    result: Poly = {}
    for (powers, exponent), c in a.items():
        product: Poly = {(frozenset(), one(exponent)): c}
        for key, k in powers:
            same = ("cdf", one(key[1])) if key[0] == "cdf" else key
            product = mul(product, atom(same, k))
        result = add(result, product)
    return result


def _inverse(a: Poly) -> Poly:
    if len(a) == 1:
        ((powers, exponent), c) = next(iter(a.items()))
        inverse = frozenset((k, -n) for k, n in powers if k[0] != "inv")
        result: Poly = {(inverse, frozen(scaled(thawed(exponent), Fraction(-1)))): 1 / c}
        for k, n in powers:
            if k[0] == "inv":
                result = mul(result, power(thawed(k[1]), n))
        return result
    if not a:
        return atom(("inv", NO_EXPONENT))  # 1/0: some number, of which nothing is known
    leading = a[min(a, key=repr_key)]
    monic = scaled(a, 1 / leading)
    return scaled(atom(("inv", frozen(monic))), 1 / leading)


def _power(base: Poly, exponent: Any) -> Poly:
    if exponent.is_Integer:
        k = int(exponent)
        return power(base, k) if k >= 0 else power(_inverse(base), -k)
    if exponent.is_Rational:
        p, q = int(exponent.p), int(exponent.q)
        return atom(("root", frozen(base), q), p)
    # b^u = e^(u log b), b > 0
    return {(frozenset(), frozen(mul(normal(exponent), logarithm(base)))): Fraction(1)}


# ---------------------------------------------------------------- sums and integrals


def renamed(structure: Any, names: dict[Any, Any]) -> Any:
    """Return a frozen structure with symbols replaced."""
    if isinstance(structure, tuple) and len(structure) == 2 and structure[0] == "sym":
        return ("sym", names.get(structure[1], structure[1]))
    if isinstance(structure, tuple):
        return tuple(renamed(part, names) for part in structure)
    if isinstance(structure, frozenset):
        return frozenset(renamed(part, names) for part in structure)
    return structure


_FRESH = count()
Factor = tuple[str, Any, Any]


def _factors(mono: Mono) -> list[Factor]:
    """The factors of a monomial: ("power", atom, k) and ("exp", monomial of the exponent, c)."""
    found: list[Factor] = [("power", key, k) for key, k in mono[0]]
    return found + [("exp", m, c) for m, c in mono[1]]


def _parted(mono: Mono, symbol: Any) -> tuple[list[Factor], list[Factor]]:
    """The factors of a monomial with a symbol, and those without."""
    factors = _factors(mono)
    inside = [f for f in factors if symbol in leaves(f[1])]
    return inside, [f for f in factors if f not in inside]


def _product(factors: list[Factor]) -> Mono:
    powers = frozenset((key, k) for kind, key, k in factors if kind == "power")
    return powers, frozenset((m, c) for kind, m, c in factors if kind == "exp")


def averaged(body: Poly, index: Any) -> Poly:
    """Return the normal form of the sum over an index (of the mean over a draw)."""
    result: Poly = {}
    for mono, c in body.items():
        inside, outside = _parted(mono, index)
        bound = {index}
        flat: list[Factor] = []
        for kind, key, k in inside:
            if kind == "power" and key[0] == "total" and k > 0:
                for _ in range(k):  # (sum_u f)^k is a sum over k copies of u
                    copies = {b: b.kind(f"u#{next(_FRESH)}", b.domain) for b in key[1]}
                    bound |= set(copies.values())
                    flat += _factors(renamed(key[2], copies))
            else:
                flat.append((kind, key, k))
        result = add(result, mul({_product(outside): c}, _connected(flat, bound)))
    return result


@dataclass(frozen=True)
class _Place:
    """A canonical bound symbol; its level exceeds the levels of the places bound inside."""

    domain: str
    level: int
    kind: type[Variable]


def _level(structure: Any) -> int:
    """One more than the highest level of a place inside."""
    return 1 + max((s.level for s in leaves(structure) if isinstance(s, _Place)), default=-1)


def _connected(factors: list[Factor], bound: set[Any]) -> Poly:
    """The product of one sum (mean) for each group of factors that share indices (draws)."""
    groups: list[tuple[set[Any], list[Factor]]] = [({b}, []) for b in bound]
    for factor in factors:
        symbols = leaves(factor[1]) & bound
        linked = (set(symbols), [factor])
        rest = []
        for group in groups:
            if group[0] & symbols:
                linked = (linked[0] | group[0], linked[1] + group[1])
            else:
                rest.append(group)
        groups = [*rest, linked]
    result = constant(1)
    for symbols, parts in groups:
        if not parts and all(isinstance(s, Draw) for s in symbols):
            continue  # the mean of 1
        merged: Poly = {UNIT: Fraction(1)}
        for part in parts:
            merged = mul(merged, {_product([part]): Fraction(1)})
        (mono,) = merged
        result = mul(result, atom(_canonical(mono, sorted(symbols, key=str))))
    return result


def _canonical(mono: Mono, symbols: list[Any]) -> Atom:
    if len(symbols) > 5:
        raise TooLarge("sums are nested too deeply")
    best: tuple[str, Atom] | None = None
    level = _level(mono)
    for order in permutations(symbols):
        names = {s: _Place(s.domain, level + k, type(s)) for k, s in enumerate(order)}
        places = tuple(names.values())
        key: Atom = ("total", places, renamed(mono, names))
        text = repr_key(key)
        if best is None or text < best[0]:
            best = (text, key)
    if best is None:
        raise TooLarge("a sum without an index")
    return best[1]


def _area(body: Poly, variable: Any, low: Frozen, high: Frozen) -> Poly:
    result: Poly = {}
    for mono, c in body.items():
        inside, outside = _parted(mono, variable)
        place = _Place("", _level((_product(inside), low, high)), Variable)
        key = ("area", renamed(_product(inside), {variable: place}), low, high)
        result = add(result, mul({_product(outside): c}, atom(key)))
    return result
