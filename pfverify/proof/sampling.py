"""Random small instances: they look for counterexamples and prove nothing."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from pfverify.exact.number import Number
from pfverify.proof.meaning import Instance
from pfverify.proof.terms import (
    Constant,
    Draw,
    Formula,
    IndexConstant,
    Variable,
    is_mass,
    terms_of,
    variables_of,
)

MEMBERS = 3  # of a random domain, at most


def _parts(formula: Formula) -> Iterator[Any]:
    for term in terms_of(formula):
        yield from sp.preorder_traversal(term)


def _rational(rng: random.Random, sign: str) -> Fraction:
    """A small rational number, positive if so declared."""
    low = 1 if sign == "positive" else -4
    return Fraction(rng.randint(low, 5), rng.choice([1, 1, 2, 3]))


def random_instance(formula: Formula, rng: random.Random) -> Instance:
    """Return an instance with values for all constants, domains and functions of a formula."""
    values: dict[str, Number] = {}
    domains: dict[str, tuple[Fraction, ...]] = {}
    functions: dict[str, list[Any]] = {}
    drawn: set[str] = set()
    parts = list(_parts(formula))
    for part in parts:
        if isinstance(part, Variable | IndexConstant) and part.domain:
            domains.setdefault(part.domain, ())
        if isinstance(part, Draw):
            drawn.add(part.domain)
    for name in domains:
        size = rng.randint(1, MEMBERS)
        domains[name] = tuple(sorted(Fraction(m) for m in rng.sample(range(-2, 5), size)))
    for part in parts:
        if isinstance(part, IndexConstant):
            values.setdefault(part.name, Number.of_rational(rng.choice(domains[part.domain])))
        elif isinstance(part, Constant):
            values.setdefault(part.name, Number.of_rational(_rational(rng, part.sort)))
        elif isinstance(part, AppliedUndef):
            functions.setdefault(part.func.__name__, []).append(part)
    tables = {name: _table(found, domains, rng) for name, found in functions.items()}
    elsewhere = dict.fromkeys(tables, Number.of_rational(0))
    laws = {name: _law(domains[name], rng) for name in sorted(drawn)}
    kept = {name: members for name, members in domains.items() if name not in drawn}
    return Instance(values, kept, tables, elsewhere, laws)


def _law(members: tuple[Fraction, ...], rng: random.Random) -> dict[Fraction, Number]:
    shares = [rng.randint(1, 3) for _ in members]
    return {m: Number.of_rational(Fraction(s, sum(shares)))
            for m, s in zip(members, shares, strict=True)}  # fmt: skip


def _table(
    applications: list[Any], domains: dict[str, tuple[Fraction, ...]], rng: random.Random
) -> dict[tuple[Fraction, ...], Number]:
    """Random values of a function, at members of the domains of its arguments.

    Where an argument is not an index, at small whole numbers too."""
    sign = "positive" if is_mass(applications[0]) else ""
    columns = []
    for args in zip(*(a.args for a in applications), strict=True):
        names = {a.domain if isinstance(a, Variable | IndexConstant) else "" for a in args}
        points = {m for name in names if name for m in domains[name]}
        columns.append(sorted(points | {Fraction(k) for k in range(-2, 6) if "" in names}))
    table: dict[tuple[Fraction, ...], Number] = {}
    for key in product(*columns):
        none = sign and rng.random() < 0.3  # masses may be 0
        table[key] = Number.of_rational(0 if none else _rational(rng, sign))
    return table


def random_point(
    formula: Formula, rng: random.Random, instance: Instance | None = None
) -> tuple[Instance, Mapping[Any, Number]]:
    """Return a random instance (or the one given) and values of the free variables."""
    made = random_instance(formula, rng) if instance is None else instance
    at: dict[Any, Number] = {}
    for v in sorted(variables_of(formula), key=str):
        members = made.members(v) if v.domain else ()
        real = Fraction(rng.randint(-3, 6), rng.choice([1, 2]))
        choice = rng.choice(members) if members else real
        at[v] = Number.of_rational(choice)
    return made, at
