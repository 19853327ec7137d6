"""The laws of users, as problem files write them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pfverify.errors import InputError, shorten
from pfverify.exact.number import rational
from pfverify.model.keys import NUMBER
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.finite import Finite
from pfverify.model.priors.joint import Joint
from pfverify.model.priors.mixture import Gaussian, Mixture
from pfverify.model.priors.prior import Prior
from pfverify.model.words import check_keys

ABSENT = "absent"
VALUE, LAW = "value", "law"
NOTHING = Discrete({0: 1})
"""What a user who is not there adds."""


def bernoulli(p: object) -> Discrete:
    """Return the law of 1 with chance p, else 0.

    Raises InputError unless p is a rational number in [0, 1].
    Example: ``bernoulli("1/3").mass[1]`` is ``1/3``.
    """
    chance = read_chance(p, "bernoulli")
    return Discrete({0: 1 - chance, 1: chance})


def read_chance(value: object, name: str) -> Fraction:
    """Return a rational number in [0, 1], or raise InputError that begins with its name."""
    chance = rational(value, name)
    if not 0 <= chance <= 1:
        raise InputError(f"{name}: {shorten(chance)} is outside [0, 1]")
    return chance


def _normal(table: Mapping[str, Any]) -> Prior:
    return Gaussian(**{key: table[key] for key in ("mean", "variance", "sd") if key in table})


@dataclass(frozen=True)
class LawTable:
    """One way to write a law: the keys that come with the first, and what it is."""

    also: tuple[str, ...]
    read: Callable[[Mapping[str, Any]], Prior]
    role: str = LAW


KINDS: dict[str, LawTable] = {
    "point": LawTable((), lambda table: Discrete({rational(table["point"], "point"): 1}), VALUE),
    "bernoulli": LawTable((), lambda table: bernoulli(table["bernoulli"])),
    "mass": LawTable((), lambda table: Discrete(mass=table["mass"])),
    "counts": LawTable((), lambda table: Discrete(counts=table["counts"])),
    "mean": LawTable(("variance", "sd"), _normal),
    "components": LawTable((), lambda table: Mixture(table["components"])),
}
"""The ways to write a law, by the key that tells them apart."""

_NAMED = ("point", "mass", "counts")
_KEYS = [key for name, kind in KINDS.items() for key in (name, *kind.also)]


def law_schema(*more: str) -> dict[str, Any]:
    """Return the JSON Schema of a law, with further keys that are read elsewhere."""
    table = {"$ref": "#/$defs/table"}
    tables = {
        "mass": table | {"description": "value -> probability, summing to exactly 1"},
        "counts": table | {"description": "value -> number of records"},
        "components": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/component"}},
        "bernoulli": NUMBER | {"description": "the chance of 1, else 0"},
        "point": NUMBER | {"description": "one value, for sure"},
        "mean": NUMBER | {"description": "of a normal law, with variance or sd"},
    }
    return {
        "type": "object",
        "oneOf": [{"required": [key]} for key in KINDS],
        "additionalProperties": False,
        "properties": {key: tables.get(key, NUMBER) for key in (*_KEYS, *more)},
    }


def read_law(table: Mapping[str, Any]) -> tuple[str, Prior]:
    """Return the role (`VALUE` or `LAW`) and the law of a table.

    Raises InputError naming the key.
    Example: ``read_law({"point": 5})[0]`` is ``'value'``.
    """
    check_keys(table, _KEYS)
    named = [name for name in KINDS if name in table]
    if len(named) != 1:
        found = " and ".join(named) if named else "none of them"
        raise InputError(f"a law is written with one of {', '.join(KINDS)}, got {found}")
    kind = KINDS[named[0]]
    for key in table:
        if key not in (named[0], *kind.also):
            raise InputError(f"{key} does not go with {named[0]}")
    return kind.role, kind.read(table).normal_form()


def read_named_law(table: Mapping[str, Any], names: Collection[str]) -> tuple[str, Prior]:
    """Return the same of a table over names, such as those of the categories of a histogram.

    Raises InputError naming the key.
    Example: ``read_named_law({"point": "b"}, ["a", "b"])[1] == Finite({"b": 1})`` is ``True``.
    """
    check_keys(table, _KEYS)
    others = [key for key in table if key not in _NAMED]
    if others or len(table) != 1:
        found = " and ".join(others or table) or "none of them"
        raise InputError(
            f"a law over categories is written with one of {', '.join(_NAMED)}, got {found}"
        )
    ((key, value),) = table.items()
    law = Finite({str(value): 1}) if key == "point" else Finite(**{key: value})
    for name in law.mass:
        if name not in names:
            raise InputError(
                f"{shorten(name, 30)!r} is none of the categories {shorten(', '.join(names), 60)}"
            )
    return VALUE if key == "point" else LAW, law.in_order_of(names)


def with_presence(law: Prior, presence: Fraction) -> Prior:
    """Return what a user adds who is there with some chance only.

    Example: ``with_presence(Discrete({1: 1}), Fraction(1, 2)) == bernoulli("1/2")`` is ``True``.
    """
    if presence == 1:
        return law
    if isinstance(law, Joint):
        nothing = (Fraction(0),) * len(law.names)
        masses = {point: presence * mass for point, mass in law.mass.items()}
        masses[nothing] = masses.get(nothing, Fraction(0)) + 1 - presence
        return Joint.of(law.names, masses)
    parts = [part._replace(weight=presence * part.weight) for part in law.components]
    parts += [part._replace(weight=1 - presence) for part in NOTHING.components]
    return Mixture(parts).normal_form()
