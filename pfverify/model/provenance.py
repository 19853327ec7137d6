"""Where the numbers of a problem come from: told beside them, and never part of a decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from pfverify.errors import InputError, shorten
from pfverify.exact.number import rational
from pfverify.model.words import unknown_key

WARNING = (
    "Priors that are estimated from the data are an assumption: whoever knows the people better "
    "believes something else. Cells of few records say little, and an empty cell says that the "
    "value is impossible."
)

OF_REGIONS = (
    "Confidence regions say how far counts may be off if the rows are a random sample: independent "
    "draws from the law of each secret. They say nothing of rows that were chosen in another way, "
    "of people who have changed since, or of values outside the alphabet."
)
"""The same of confidence regions."""

CONFIDENTIAL = (
    "Keep this as the records are kept: it holds exact frequencies of them, and so do answers, "
    "certificates and reports made from it. A scale that is computed from confidential records is "
    "itself a function of them."
)
"""How to keep what was counted from records."""

_NO_RECORD = "; what any two values need, no record used"
_BY_RECORDS = "by these records (a confidence level is meant for intervals chosen beforehand)"
_TEXTS = {
    "data": "the name of the file",
    "sha256": "of the file's bytes, in hexadecimal digits",
    "secret": "the column of the secret",
    "time": "the column that sorts the records of a chain",
    "by": "the column that tells whose sequence a record is of",
    "public": "the column that is released",
    "where": "the condition that the rows meet",
    "bins": "the intervals, and the point that stands for each",
    "clip": "what values outside the bounds count as",
    "fit": "the law that was fitted",
    "release": "value, count, sum, mean or histogram",
    "rest": "what is assumed of the others, and why",
    "calibrated": "the scale that was worked out, by which method, and whether from no record",
    "region": "the confidence regions whose extreme laws are stated",
    "low": "the least number that a record can add, whatever the table holds",
    "high": "the largest one",
    "unit": "what the numbers of X are",
    "program": "the program whose paths were enumerated, as FILE:FUNCTION; none is ever run",
    "program_sha256": "of the bytes of that file, in hexadecimal digits",
    "warning": "what the reader should bear in mind",
}
_COUNTS = {
    "rows_read": "rows of the file",
    "rows_used": "rows that the priors count",
    "sequences": "of consecutive records, each of which a chain is counted from",
    "transitions": "from one record of a sequence to the next",
    "paths": "paths of choices of the program, over all inputs, each run twice",
}
_TEXT, _COUNT = {"type": "string"}, {"type": "integer", "minimum": 0}
_TABLES = {
    "records": (_COUNT, "secret -> rows that its prior counts"),
    "dropped": (_COUNT, "reason -> rows that are left out for it"),
    "codes": (_TEXT, "category -> the number that stands for it"),
}
_SHAPES: dict[str, dict[str, Any]] = {
    **{key: _TEXT | {"description": text} for key, text in _TEXTS.items()},
    **{key: _COUNT | {"description": text} for key, text in _COUNTS.items()},
    "empty_cells": _COUNT | {"description": "pairs of a secret and a value without a record"},
    "smallest_cell": {
        "type": "object",
        "description": "the fewest records, 0 excepted, of a value under a secret",
        "additionalProperties": False,
        "properties": {"records": _COUNT, "secret": _TEXT, "value": _TEXT},
    },
    **{
        key: {"type": "object", "description": text, "additionalProperties": shape}
        for key, (shape, text) in _TABLES.items()
    },
}
"""Key -> its definition in the published schema, which is also what it is held to."""


@dataclass(frozen=True)
class Provenance:
    """Where the numbers of a problem come from, as its file tells it.

    Every attribute is None where the file says nothing. `smallest_cell` has the keys `records`,
    `secret` and `value`: the fewest records, 0 excepted, of one value under one secret;
    `empty_cells` says how many values have none under some secret.
    Example: ``Provenance(data="people.csv", rows_read=3).to_table()`` is
    ``{'data': 'people.csv', 'rows_read': 3}``.
    """

    data: str | None = None
    sha256: str | None = None
    rows_read: int | None = None
    rows_used: int | None = None
    sequences: int | None = None
    transitions: int | None = None
    records: Mapping[str, int] | None = None
    dropped: Mapping[str, int] | None = None
    smallest_cell: Mapping[str, Any] | None = None
    empty_cells: int | None = None
    secret: str | None = None
    time: str | None = None
    by: str | None = None
    public: str | None = None
    unit: str | None = None
    codes: Mapping[str, str] | None = None
    where: str | None = None
    bins: str | None = None
    clip: str | None = None
    fit: str | None = None
    release: str | None = None
    rest: str | None = None
    calibrated: str | None = None
    region: str | None = None
    low: str | None = None
    high: str | None = None
    program: str | None = None
    program_sha256: str | None = None
    paths: int | None = None
    warning: str | None = None

    @classmethod
    def from_table(cls, table: object) -> Provenance:
        """Read the table `provenance` of a problem file; InputError naming the key.

        Example: ``Provenance.from_table({"rows": 3})`` raises.
        """
        if not isinstance(table, Mapping):
            raise InputError(f"provenance: expected a table, got {shorten(table)!r}")
        known = [one.name for one in fields(cls)]
        for key, value in table.items():
            if key not in known:
                raise InputError(f"provenance: {unknown_key(key, known)}")
            _check(value, _SHAPES[key], f"provenance.{key}")
            if key in ("low", "high"):
                rational(value, f"provenance.{key}")
        kept: dict[str, Any] = {
            key: dict(value) if isinstance(value, Mapping) else value
            for key, value in table.items()
        }
        return cls(**kept)

    @property
    def tells_program(self) -> bool:
        """Whether the channel was enumerated from a program, and nothing counted from records."""
        return self.program is not None

    def gives(self, scale: str) -> bool:
        """Whether a scale, as a decimal, is the one that was worked out from the records.

        Example: ``Provenance(calibrated=calibrated("1.5", "minimum")).gives("1.5")`` is True.
        """
        return self.calibrated is not None and self.calibrated.split(" ")[0] == scale

    @property
    def used_no_record(self) -> bool:
        """Whether the scale that was worked out is one that no record decides."""
        return self.calibrated is not None and _NO_RECORD in self.calibrated

    def to_table(self) -> dict[str, Any]:
        """Return what is known, in the shape of a problem file."""
        found = {one.name: getattr(self, one.name) for one in fields(self)}
        return {
            key: dict(value) if isinstance(value, Mapping) else value
            for key, value in found.items()
            if value is not None
        }


def calibrated(scale: str, method: str, *, no_record: bool = False) -> str:
    """Return what a file says of a scale, a decimal, that calibrate worked out.

    `no_record`: no record decides it. Example: ``calibrated("1.5", "minimum")`` is
    ``"1.5 (minimum, rounded up)"``.
    """
    return f"{scale} ({method}, rounded up{_NO_RECORD * no_record})"


def merged_words(records: int, groups: Sequence[str]) -> str:
    """Return what [provenance] says of values that were merged into these intervals."""
    enough = f"{records} record{'s' * (records > 1)}"
    return (
        f"neighbours merged until each has {enough} per secret, {_BY_RECORDS}: {'; '.join(groups)}"
    )


def without_intervals(text: str) -> str:
    """Return a text with the intervals left out that were read off the records: their number alone.

    Example: ``without_intervals("age")`` is ``"age"``.
    """
    before, by, groups = text.partition(f"{_BY_RECORDS}: ")
    if not by:
        return text
    count = groups.count("; ") + 1
    return f"{before}{_BY_RECORDS}: {count} interval{'s' * (count > 1)} of two values or more"


def _check(value: object, shape: Mapping[str, Any], where: str) -> None:
    """InputError unless a value has the shape that the schema publishes."""
    kind = shape["type"]
    if kind == "string" and not isinstance(value, str):
        raise InputError(f"{where}: expected text, got {shorten(value)!r}")
    if kind == "integer" and (type(value) is not int or value < 0):
        raise InputError(f"{where}: expected an integer >= 0, got {shorten(value)!r}")
    if kind != "object":
        return
    if not isinstance(value, Mapping):
        raise InputError(f"{where}: expected a table, got {shorten(value)!r}")
    known = shape.get("properties", dict.fromkeys(value, shape["additionalProperties"]))
    for name, part in value.items():
        if name not in known:
            raise InputError(f"{where}: {unknown_key(name, known)}")
        _check(part, known[name], f"{where}.{shorten(name, 30)}")


def provenance_schema() -> dict[str, Any]:
    """Return the JSON Schema of the table `provenance`."""
    told = "where the numbers come from; it decides nothing, and is not part of the digest"
    return {
        "type": "object", "description": told, "additionalProperties": False, "properties": _SHAPES,
    }  # fmt: skip
