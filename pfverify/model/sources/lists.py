"""Single lists of numbers in place of laws, one for each secret: no prior is assumed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pfverify.errors import InputError, listed, shorten, told_at
from pfverify.model.keys import NUMBER
from pfverify.model.priors.joint import Joint
from pfverify.model.sources.given import Given
from pfverify.model.sources.inputs import ANY_PRIOR
from pfverify.model.sources.source import DEFAULT_BELIEF
from pfverify.model.words import check_keys


class Lists(Given):
    """What each secret's numbers are, for sure.

    `names` of the numbers; `rows`: secret -> as many numbers. Raises InputError naming what was
    wrong. Example: ``Lists(["x", "y"], {"with": [3, 1], "without": [2, 1]}).names_pairs`` is
    ``False``.
    """

    def __init__(self, names: object, rows: object) -> None:
        if not isinstance(rows, Mapping) or not rows:
            raise InputError("lists.rows: expected a table of secrets, each with its numbers")
        called, found = listed(names, "lists.names", "the names of the numbers"), {}
        for secret, row in rows.items():
            where = f"lists.rows.{shorten(secret, 30)}"
            point = listed(row, where, f"{len(called)} numbers")
            if len(point) != len(called):
                raise InputError(
                    f"{where}: {len(point)} numbers, expected {len(called)}, as there are names"
                )
            with told_at(f"{where}: "):
                found[secret] = Joint(called, [[*point, 1]])
        super().__init__({DEFAULT_BELIEF: found})

    @classmethod
    def from_table(cls, table: object) -> Lists:
        """Return what a table `lists` states; InputError naming the key."""
        if isinstance(table, Lists):
            return table
        if not isinstance(table, Mapping):
            raise InputError("lists: expected a table with names and rows")
        check_keys(table, ("names", "rows"), "lists: ")
        for key in ("names", "rows"):
            if key not in table:
                raise InputError(f"lists.{key}: missing")
        return cls(table["names"], table["rows"])

    def assumed(self) -> list[str]:
        """Return that no prior is assumed."""
        return [ANY_PRIOR]

    def tables(self) -> dict[str, Any]:
        """Return `lists`."""
        laws = self.laws[DEFAULT_BELIEF]
        points = {secret: law for secret, law in laws.items() if isinstance(law, Joint)}
        rows = {s: [str(x) for x in next(iter(law.mass))] for s, law in points.items()}
        return {"lists": {"names": [*next(iter(points.values())).names], "rows": rows}}


def lists_schema() -> dict[str, Any]:
    """Return the table's part of the published schema."""
    return {
        "type": "object", "required": ["names", "rows"], "additionalProperties": False,
        "description": "the numbers of each secret, for sure: no prior is assumed",
        "properties": {
            "names": {"type": "array", "items": {"type": "string"}, "minItems": 1},
            "rows": {
                "type": "object", "minProperties": 1,
                "additionalProperties": {"type": "array", "items": NUMBER, "minItems": 1},
            },
        },
    }  # fmt: skip
