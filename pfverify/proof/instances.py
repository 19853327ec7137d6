"""Instances as proof files write them: numbers, domains, tables and laws."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp

from pfverify.errors import InputError
from pfverify.exact.number import Number, number
from pfverify.proof.meaning import Instance, value
from pfverify.proof.numbers import ONE, ZERO

ELSE = "else"  # as the key of a row: the value of a function where it has no other row


@dataclass(frozen=True)
class InstanceLaw:
    """The values of a law with their masses, as a file writes them."""

    masses: Mapping[Any, Any]


def as_instance(**given: Any) -> Instance:
    """Return an instance from keyword arguments: numbers, domains (lists), tables (dicts), laws.

    A table's row "else" is the value of a function at all other arguments.
    Example: ``as_instance(theta="1/log(2)", X=[0, 1], P={0: "1/2", 1: "1/2"})``.
    """
    values: dict[str, Number] = {}
    domains: dict[str, tuple[Fraction, ...]] = {}
    tables: dict[str, dict[tuple[Fraction, ...], Number]] = {}
    elsewhere: dict[str, Number] = {}
    laws: dict[str, Mapping[Fraction, Number]] = {}
    for name, item in given.items():
        if isinstance(item, InstanceLaw):
            laws[name] = _law(item, name)
        elif isinstance(item, dict):
            if ELSE in item:
                elsewhere[name] = _number(item[ELSE], name)
                item = {key: v for key, v in item.items() if key != ELSE}
            tables[name] = {
                tuple(_rational(k, name) for k in (key if isinstance(key, tuple) else (key,))):
                _number(v, name)
                for key, v in item.items()
            }
            if len(tables[name]) < len(item):
                raise InputError(f"{name}: a row stands twice")
            if len({len(key) for key in tables[name]}) > 1:
                raise InputError(f"{name}: rows have different numbers of arguments")
        elif isinstance(item, list | tuple):
            domains[name] = tuple(_rational(v, name) for v in item)
            if not item or len(set(domains[name])) < len(item):
                raise InputError(f"{name}: a domain has members, each of them once")
        else:
            values[name] = _number(item, name)
    return Instance(values, domains, tables, elsewhere, laws)


def _law(law: InstanceLaw, name: str) -> Mapping[Fraction, Number]:
    masses = {_rational(k, name): _number(v, name) for k, v in law.masses.items()}
    if len(masses) < len(law.masses):
        raise InputError(f"{name}: a row stands twice")
    if any(mass.sign() != 1 for mass in masses.values()):  # a value of mass 0 is never drawn
        raise InputError(f"{name}: a mass is not > 0, or undecided")
    if (sum(masses.values(), ZERO) - ONE).sign() != 0:
        raise InputError(f"{name}: the masses of a law must add up to 1")
    return masses


def _number(item: Any, name: str) -> Number:
    if isinstance(item, sp.Expr):
        return value(item, Instance())
    return number(item, name)


def _rational(item: Any, name: str) -> Fraction:
    found = _number(item, name).fraction
    if found is None:
        raise InputError(f"{name}: expected a rational number")
    return found
