"""The laws of users, as problem files write them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pfverify.errors import InputError, shorten
from pfverify.exact.number import rational
from pfverify.model.keys import CLOSED, Key, table_of_keys
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


@dataclass(frozen=True)
class LawTable:
    """One way to write a law: its keys, of which the first tells it apart, and what it is."""

    keys: tuple[Key, ...]
    read: Callable[[Mapping[str, Any]], Prior]
    role: str = LAW


_TABLE = {"$ref": "#/$defs/table"}
_PARTS = {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/component"}}
_NORMAL = (Key("mean", "of a normal law, with variance or sd"), Key("variance"), Key("sd"))
KINDS: dict[str, LawTable] = {
    kind.keys[0].name: kind
    for kind in (
        LawTable(
            (Key("point", "one value, for sure"),),
            lambda table: Discrete({rational(table["point"], "point"): 1}), VALUE,
        ),
        LawTable(
            (Key("bernoulli", "the chance of 1, else 0"),),
            lambda table: bernoulli(table["bernoulli"]),
        ),
        LawTable(
            (Key("mass", "value -> probability, summing to exactly 1", _TABLE),),
            Discrete.from_table,
        ),
        LawTable((Key("counts", "value -> number of records", _TABLE),), Discrete.from_table),
        LawTable(_NORMAL, Gaussian.from_table),
        LawTable((Key("components", shape=_PARTS),), Mixture.from_table),
    )
}  # fmt: skip
"""The ways to write a law, by the key that tells them apart."""

_NAMED = ("point", "mass", "counts")
_KEYS = [key for kind in KINDS.values() for key in kind.keys]
_KNOWN = [key.name for key in _KEYS]


def law_schema(*more: Key) -> dict[str, Any]:
    """Return the JSON Schema of a law, with further keys that are read elsewhere."""
    one_of_them = {"oneOf": [{"required": [key]} for key in KINDS]}
    return table_of_keys([*_KEYS, *more], one_of_them | CLOSED)


def read_law(table: Mapping[str, Any]) -> tuple[str, Prior]:
    """Return the role (`VALUE` or `LAW`) and the law of a table.

    Raises InputError naming the key.
    Example: ``read_law({"point": 5})[0]`` is ``'value'``.
    """
    check_keys(table, _KNOWN)
    named = [name for name in KINDS if name in table]
    if len(named) != 1:
        found = " and ".join(named) if named else "none of them"
        raise InputError(f"a law is written with one of {', '.join(KINDS)}, got {found}")
    kind = KINDS[named[0]]
    own = [key.name for key in kind.keys]
    for key in table:
        if key not in own:
            raise InputError(f"{key} does not go with {named[0]}")
    return kind.role, kind.read(table).normal_form()


def read_named_law(table: Mapping[str, Any], names: Collection[str]) -> tuple[str, Prior]:
    """Return the same of a table over names, such as those of the categories of a histogram.

    Raises InputError naming the key.
    Example: ``read_named_law({"point": "b"}, ["a", "b"])[1] == Finite({"b": 1})`` is ``True``.
    """
    check_keys(table, _KNOWN)
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
