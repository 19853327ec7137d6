"""The tables of a problem file that state where the laws come from: nothing by default."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from pfverify.errors import InputError, shorten
from pfverify.model.kinds import read_priors
from pfverify.model.sources.correlated import MODELS, read_models
from pfverify.model.sources.families import given, given_to_one
from pfverify.model.sources.lists import Lists, lists_schema
from pfverify.model.sources.prepared import Prepared
from pfverify.model.sources.source import DEFAULT_BELIEF, Source
from pfverify.model.sources.users import Users
from pfverify.model.systems.system import system_schema


class SourceTable(NamedTuple):
    """One table that states a source.

    `read` reads it in a problem file, `given` takes what Python callers give under the same name;
    `schema` is its part of the published schema, and `definitions` what that names.
    """

    read: Callable[[Mapping[str, Any]], Source]
    given: Callable[[object], Source]
    schema: dict[str, Any]
    definitions: Callable[[], dict[str, Any]] = dict


def read_source(table: Mapping[str, Any]) -> Source | None:
    """Return the source that a problem file states, None where it states none.

    Raises InputError naming the key.
    Example: ``read_source({"epsilon": 1})`` is ``None``.
    """
    stated = [name for name in SOURCES if name in table]
    if len(stated) > 1:
        raise InputError(f"expected exactly one of {offered()}, got {' and '.join(stated)}")
    found = [SOURCES[name].read(table[name]) for name in stated]
    return next(iter(_prepared(found, table.get("pre"))), None)


def given_sources(pre: object = None, **given: object) -> list[Source]:
    """Return the sources among the arguments of `Problem`, those that are not None.

    `pre`: steps that act on X before the noise. Raises InputError for another type.
    Example: ``given_sources(priors=None, system=None)`` is ``[]``.
    """
    found = [SOURCES[name].given(value) for name, value in given.items() if value is not None]
    return _prepared(found, pre)


def _prepared(found: list[Source], pre: object) -> list[Source]:
    if pre is None:
        return found
    if not found:
        raise InputError(f"pre: steps act on X, whose laws come from one of {offered()}")
    return [Prepared(source, pre) for source in found]


def offered() -> str:
    """Return the names of the tables in words."""
    *others, last = SOURCES
    return f"{', '.join(others)} and {last}"


def _read_priors(table: Mapping[str, Any]) -> Source:
    return given_to_one(read_priors("priors", table))


def _read_beliefs(table: Mapping[str, Any]) -> Source:
    kinds = {kind for belief in table.values() for kind in belief}
    if kinds == {"priors"}:
        return _given_beliefs(table)
    if len(kinds) != 1:
        raise InputError(f"beliefs: expected one kind of table in all, got {' and '.join(kinds)}")
    (kind,) = kinds
    return read_models(kind, {name: belief[kind] for name, belief in table.items()})


def _given_beliefs(table: Mapping[str, Any]) -> Source:
    return given({
        name: read_priors(f"beliefs.{shorten(name, 30)}.priors", belief["priors"])
        for name, belief in table.items()
    })  # fmt: skip


def _read_one(name: str, table: Mapping[str, Any]) -> Source:
    return read_models(name, {DEFAULT_BELIEF: table})


_BELIEF = {
    "type": "object",
    "minProperties": 1,
    "maxProperties": 1,
    "additionalProperties": False,
    "properties": {name: {"$ref": f"#/$defs/{name}"} for name in ("priors", *MODELS)},
}
SOURCES: dict[str, SourceTable] = {
    "priors": SourceTable(_read_priors, given_to_one, {"$ref": "#/$defs/priors"}),
    "beliefs": SourceTable(
        _read_beliefs, given,
        {"type": "object", "minProperties": 1, "additionalProperties": _BELIEF},
    ),
    **{
        name: SourceTable(
            partial(_read_one, name), row.source, {"$ref": f"#/$defs/{name}"}, row.definitions
        )
        for name, row in MODELS.items()
    },
    "lists": SourceTable(Lists.from_table, Lists.from_table, lists_schema()),
    "system": SourceTable(Users.from_table, Users, {"$ref": "#/$defs/system"}, system_schema),
}  # fmt: skip
"""Name of a table of a problem file, and of an argument of `Problem` -> what it states."""
