"""What a problem file states: a source and a release, or several parts that state one each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from pfverify.errors import InputError, shorten, told_at
from pfverify.model.notion import parameter_names
from pfverify.model.protection import PUFFERFISH, Protection
from pfverify.model.releases.composition import MOST_TIMES, PARTS, TIMES, ComposedReleases, place
from pfverify.model.releases.kinds import RELEASES, noise_protection, read_release
from pfverify.model.releases.release import Release
from pfverify.model.sources.kinds import SOURCES, offered, read_source
from pfverify.model.sources.parts import GivenParts
from pfverify.model.sources.source import Source
from pfverify.model.steps.kinds import steps_schema

WHOLE = (
    "schema", "epsilon", "delta", "form", *parameter_names(), "pairs", "notion", "provenance"
)  # fmt: skip
"""Keys of a problem file that stand beside its parts, and in none of them."""


class StatedProblem(NamedTuple):
    """What a file states: where the laws come from, what is released, and what is kept apart."""

    source: Source | None
    release: Release
    protection: Protection


def part_keys() -> list[str]:
    """Return the keys of a problem file that stand in its parts, where it has any.

    Example: ``"noise" in part_keys()`` is ``True``.
    """
    return [*RELEASES, *steps_schema(), *SOURCES]


def check_parts(table: Mapping[str, Any]) -> None:
    """Raise InputError for a key beside the parts, or in one of them, that is in the wrong place.

    Example: ``check_parts({"parts": [], "noise": {}})`` raises.
    """
    for key in table:
        if key in (*part_keys(), "metric"):
            raise InputError(f"{shorten(key)}: not beside {PARTS}; it stands in each part")
    stated = table[PARTS]
    for k, part in enumerate(stated if isinstance(stated, list | tuple) else ()):
        for key in part if isinstance(part, Mapping) else ():
            if key in (*WHOLE, "metric"):
                raise InputError(
                    f"{place(k)}.{key}: not in a part; all parts together are held to one target"
                )


def read_stated(table: Mapping[str, Any]) -> StatedProblem:
    """Return what a problem file states, of one release or of several parts.

    Raises InputError naming the key, and the part.
    Example: ``read_stated({"parts": []})`` raises.
    """
    if PARTS in table:
        return _read_parts(table)
    with_priors = not table.keys().isdisjoint(SOURCES)
    release, protection = read_release(table, with_priors=with_priors)
    return StatedProblem(read_source(table), release, protection)


def _read_parts(table: Mapping[str, Any]) -> StatedProblem:
    sources: list[Source] = []
    releases: list[tuple[Release, int]] = []
    for k, part in enumerate(table[PARTS]):
        with told_at(f"{place(k)}: "):
            source = read_source(part)
            if source is None:
                raise InputError(f"expected exactly one of {offered()}")
            stated = read_release(part, with_priors=True)
            if stated.protection != PUFFERFISH:
                raise InputError(
                    f"notion: {stated.protection.notion} is not for several parts, expected distp"
                )
        sources.append(source)
        releases.append((stated.release, part.get(TIMES, 1)))
    return StatedProblem(GivenParts(sources), ComposedReleases(releases), noise_protection(table))


def parts_schema() -> dict[str, Any]:
    """Return the schema of the key `parts`.

    Example: ``parts_schema()["type"]`` is ``"array"``.
    """
    return {
        "type": "array",
        "minItems": 1,
        "description": "several releases, each of a draw of its own given the secret, in place of "
        "one; all parts have the same secrets and beliefs",
        "items": {"$ref": "#/$defs/part"},
    }


def part_schema() -> dict[str, Any]:
    """Return the definition of one part: the tables of a problem, and how many times.

    Example: ``part_schema()["properties"]["times"]["type"]`` is ``"integer"``.
    """
    return {
        "type": "object",
        "oneOf": [{"required": [key]} for key in RELEASES],
        "additionalProperties": False,
        "properties": {
            TIMES: {
                "type": "integer",
                "description": f"how many independent releases there are of this part, at most "
                f"{MOST_TIMES} of all together; default 1",
            },
            **{name: release.schema() for name, release in RELEASES.items()},
            **steps_schema(),
            **{name: source.schema for name, source in SOURCES.items()},
        },
    }
