"""What a problem may publish of several noisy numbers instead of them: the name of one of them.

`select`: that of the largest or the smallest; `first-above` and `first-below`: of the first, in
the order of the coordinates, on that side of a threshold, which has noise of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pfverify.errors import InputError, shorten
from pfverify.exact.number import number, rational
from pfverify.model.choices.choice import NameChoice, NoisyThreshold
from pfverify.model.choices.first import First
from pfverify.model.choices.kinds import MOST_ORDERED, NAMES
from pfverify.model.choices.select import Select
from pfverify.model.keys import NUMBER
from pfverify.model.words import check_keys

TIES = ("first", "last", "random")


def states_choice(post: object) -> bool:
    """Say whether a list of steps states a choice.

    Example: ``states_choice([{"select": "argmax"}])`` is ``True``.
    """
    entries = post if isinstance(post, Sequence) and not isinstance(post, str) else []
    return any(isinstance(entry, NameChoice) or (
        isinstance(entry, Mapping) and not set(CHOICES).isdisjoint(entry)
    ) for entry in entries)  # fmt: skip


def choice_of(post: object) -> NameChoice:
    """Return the choice of a list of one step; InputError naming what is wrong.

    Example: ``choice_of([{"select": "argmin"}]).words.startswith("the name of the smallest")``.
    """
    if not isinstance(post, Sequence) or len(post) != 1:
        raise InputError("post: a choice is the only step, expected one")
    (entry,) = post
    if isinstance(entry, NameChoice):
        return entry
    if not isinstance(entry, Mapping):
        raise InputError("post[0]: expected a table")
    (key, *more) = [name for name in CHOICES if name in entry]
    if more:
        raise InputError(f"post[0]: {key} and {more[0]} are two choices, expected one")
    return CHOICES[key](entry)


def _select(entry: Mapping[str, Any]) -> Select:
    check_keys(entry, ("select", "ties", "top"), "post[0]: ")
    which, ties = entry["select"], entry.get("ties", "first")
    top = _count(entry.get("top", 1), "post[0].top")
    if top > MOST_ORDERED:
        raise InputError(
            f"post[0].top: the order of {top} numbers is not worked out, expected at most "
            f"{MOST_ORDERED}"
        )
    if which not in ("argmax", "argmin"):
        raise InputError(
            f"post[0].select: {shorten(which)!r} is unknown, expected argmax or argmin"
        )
    if ties not in TIES:
        raise InputError(
            f"post[0].ties: {shorten(ties)!r} is unknown, expected one of {', '.join(TIES)}"
        )
    return Select(which == "argmax", ties, top)


def _count(value: object, where: str) -> int:
    if type(value) is not int or value < 1:
        raise InputError(f"{where}: {shorten(value)}, expected a whole number from 1 on")
    return value


def _first(key: str) -> Callable[[Mapping[str, Any]], First]:
    def read(entry: Mapping[str, Any]) -> First:
        check_keys(entry, (key,), "post[0]: ")
        table = entry[key]
        where = f"post[0].{key}"
        if not isinstance(table, Mapping):
            raise InputError(f"{where}: expected a table with threshold and scale")
        check_keys(table, ("threshold", "scale", "kind", "count", "redraw"), f"{where}: ")
        if "threshold" not in table:
            raise InputError(f"{where}.threshold: missing, expected a rational number")
        at = rational(table["threshold"], f"{where}.threshold")
        scale = None
        if "scale" in table:
            scale = number(table["scale"], f"{where}.scale")
            if scale.sign() != 1:
                raise InputError(
                    f"{where}.scale: {shorten(scale.text)} is not above 0; leave it out for a "
                    "threshold without noise"
                )
        kind = table.get("kind")
        if kind not in (None, *NAMES):
            raise InputError(
                f"{where}.kind: {shorten(kind)!r} is not worked out, expected one of "
                f"{', '.join(NAMES)}"
            )
        count, redraw = _count(table.get("count", 1), f"{where}.count"), table.get("redraw", True)
        if type(redraw) is not bool:
            raise InputError(f"{where}.redraw: {shorten(redraw)}, expected true or false")
        return First(key == "first-above", NoisyThreshold(at, scale, kind), count, redraw)

    return read


CHOICES: dict[str, Callable[[Mapping[str, Any]], NameChoice]] = {
    "select": _select,
    "first-above": _first("first-above"),
    "first-below": _first("first-below"),
}
"""Key of a step -> what reads it."""


def choices_schema() -> dict[str, Any]:
    """Return the properties of such a step in the published schema."""
    threshold = {
        "type": "object", "required": ["threshold"], "additionalProperties": False,
        "properties": {
            "threshold": NUMBER, "scale": NUMBER, "kind": {"enum": [*NAMES]},
            "count": {"type": "integer", "minimum": 1, "description": "how many are named"},
            "redraw": {
                "type": "boolean",
                "description": "whether the threshold's noise is drawn anew after each (true)",
            },
        },
    }  # fmt: skip
    return {
        "select": {
            "enum": ["argmax", "argmin"],
            "description": "the name of the largest, or the smallest, of several noisy numbers",
        },
        "ties": {"enum": list(TIES), "description": "of equal ones, which is chosen"},
        "top": {
            "type": "integer", "minimum": 1,
            "description": "how many are named, in their order: two at most, with gumbel noise "
            f"{MOST_ORDERED}",
        },
        "first-above": {
            **threshold, "description": "the first number that is at least a noisy threshold"
        },
        "first-below": {
            **threshold, "description": "the first number that is at most a noisy threshold"
        },
    }  # fmt: skip
