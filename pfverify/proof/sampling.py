"""Random small instances: they look for counterexamples and prove nothing."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from sympy.core.function import AppliedUndef

from pfverify.exact.answer import Answer
from pfverify.exact.number import Number
from pfverify.proof.meaning import Instance, truth, truth_for_all
from pfverify.proof.numbers import NoMeaning
from pfverify.proof.terms import (
    Connective,
    Constant,
    Draw,
    Formula,
    IndexConstant,
    Relation,
    Variable,
    is_mass,
    pieces_of,
    variables_of,
)
from pfverify.proof.written import described

MEMBERS = 3  # of a random domain, at most
SAMPLES = 4  # random points at which an identity is evaluated exactly


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
    parts = list(pieces_of(formula))
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


def false_somewhere(formula: Relation) -> str:
    """Return a random instance in which the formula is decided to be false, "" if none was met."""
    rng = random.Random(str(formula))
    for _ in range(SAMPLES):
        try:
            instance, at = random_point(formula, rng)
            if truth(formula, instance, at) is Answer.NO:
                return described(instance, at)
        except (NoMeaning, ZeroDivisionError):
            continue
    return ""


def search_counterexample(facts: Sequence[Formula], formula: Formula, tries: int = 400) -> str:
    """Return a random instance where all facts hold and the formula fails, "" if none was met."""
    rng = random.Random(0)
    together = Connective("and", (*facts, formula)) if facts else formula
    for _ in range(tries):
        try:
            instance = random_instance(together, rng)
            _, at = random_point(together, rng, instance)
            if truth(formula, instance, at) is not Answer.NO:
                continue
            if all(_holds_here(f, instance, at, rng) for f in facts):
                return described(instance, at)
        except (NoMeaning, ZeroDivisionError):
            continue
    return ""


def _holds_here(
    fact: Formula, instance: Instance, at: Mapping[Any, Number], rng: random.Random
) -> bool:
    """A fact holds for every index, at the point and at two more values of its real variables."""
    real = {v for v in variables_of(fact) if not v.domain}
    points = [at] if not real else [at, *(random_point(fact, rng, instance)[1] for _ in range(2))]
    fixed = [{k: v for k, v in point.items() if k in real} for point in points]
    return all(truth_for_all(fact, instance, at) is Answer.YES for at in fixed)
