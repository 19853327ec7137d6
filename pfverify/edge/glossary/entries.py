"""The entries of the glossary: read from the tables of this folder, and found by their names."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from pfverify.errors import InputError, require, shorten
from pfverify.exact.no_truth import NoTruth

FAMILIES = {
    "recipes": "method",
    "words": "word",
    "keys": "key or column",
    "noises": "noise",
    "priors": "prior",
    "channels": "channel",
    "notions": "notion or form",
    "rules": "rule of certificates",
    "facts": "fact",
    "steps": "rule of proof steps",
    "codes": "exit code",
}
"""File of this folder -> what its entries are, in the order in which they are listed."""

_ENDS = ("lower", "upper", "decimal")  # of keys and columns that are about another one
_SHOWN = 3  # nearest terms named for an unknown one


@dataclass(frozen=True, kw_only=True)
class Entry(NoTruth, ask="read its attributes"):
    """A term: one sentence, then what more there is to say. Attributes are the JSON keys.

    `family` is what it is (a method, a rule, ...); `where` names the places where it appears;
    `see` other terms. `definition`, `formula` and `source` are None where there is none.
    """

    term: str
    family: str
    sentence: str
    definition: str | None = None
    formula: str | None = None
    source: str | None = None
    where: Sequence[str]
    aliases: Sequence[str] = ()
    see: Sequence[str] = ()


@dataclass(frozen=True)
class Terms(NoTruth, ask="read .terms"):
    """Entries that were asked for; `whole`: with all that there is to say, else in a line each."""

    terms: tuple[Entry, ...]
    whole: bool = field(metadata={"json": False})


@cache
def entries() -> tuple[Entry, ...]:
    """Return every entry, family by family.

    Raises TypeError for a table with a key that entries do not have, or without one they need.
    Example: ``entries()[0].term`` is ``'l1'``.
    """
    folder = files("pfverify.edge.glossary")
    return tuple(
        Entry(term=term, family=family, **table)
        for file, family in FAMILIES.items()
        for term, table in tomllib.loads(
            folder.joinpath(f"{file}.toml").read_text("utf-8")
        ).items()
    )


def folded(name: str) -> str:
    """Return what of a name is compared: no case, and no spaces, hyphens or underscores.

    Example: ``folded("Relaxed-rows")`` is ``'relaxedrows'``.
    """
    return "".join(name.casefold().translate({ord(mark): None for mark in "-_"}).split())


@cache
def _known() -> dict[str, tuple[Entry, ...]]:
    """Folded name or alias -> its entries: those of that name first, then those of the alias."""
    known: dict[str, list[Entry]] = {}
    for entry in entries():
        known.setdefault(folded(entry.term), []).append(entry)
    for entry in entries():
        for alias in entry.aliases:
            found = known.setdefault(folded(alias), [])
            if entry not in found:
                found.append(entry)
    return {name: tuple(found) for name, found in known.items()}


def lookup(name: str) -> tuple[Entry, ...]:
    """Return the entries of a term: one for each thing of that name, such as a key and a rule.

    A column such as delta_lower is explained by delta and by lower.
    Raises InputError for an unknown term, with the nearest ones.
    Example: ``lookup("Relaxed rows")[0].term`` is ``'relaxed_rows'``.
    """
    require(name, str, "a term")
    known, asked = _known(), folded(name)
    found = [*known.get(asked, ())]
    for end in _ENDS:
        stem = asked.removesuffix(end)
        if stem != asked and stem in known:
            found += [*known[stem][:1], *known[end]]
    if found:
        return tuple(found)
    near = difflib.get_close_matches(asked, known, _SHOWN, 0.6)
    names = dict.fromkeys(_written(entry, key) for key in near for entry in known[key][:1])
    hint = f"did you mean {' or '.join(repr(name) for name in names)}?" if names else "try --list"
    raise InputError(f"there is no term {shorten(name, 40)!r}; {hint}")


def _written(entry: Entry, key: str) -> str:
    """Return the name or alias of an entry that was near, as it is written."""
    return next(name for name in (entry.term, *entry.aliases) if folded(name) == key)


def entry(name: str) -> Entry:
    """Return the first entry of a term: methods come before keys, and these before words.

    Raises InputError as `lookup`.
    Example: ``entry("relaxed-rows").family`` is ``'method'``.
    """
    return lookup(name)[0]
