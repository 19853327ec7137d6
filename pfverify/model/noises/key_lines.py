"""Noise tables as offices publish them: a line for each true count and each cell key, or range.

A line is `pcv, ckey, pvalue`: the true count, a key, and what is added. There are two readings of
the keys in public tables, and a table has one of them throughout:

- whole numbers, 0 to m - 1 (or 1 to m), each once for every count: each has the chance 1/m;
- upper ends above 0 and at most 1 of the ranges of a key that is uniform in [0, 1], up to 1 for
  every count: each has the chance of its range.

The counts follow each other without a gap. What is neither is refused.
"""

from __future__ import annotations

import csv
import io
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from pfverify.errors import InputError, listed, shorten, told_at
from pfverify.exact.number import rational
from pfverify.model.named_bytes import bytes_of_named

COLUMNS = ("pcv", "ckey", "pvalue")
"""Of a file of such lines, in any order."""
MOST_LINES = 1_000_000
Exact = Fraction | int
"""A rational number; whole ones of a long table are integers, which are sooner looked up."""
ByKey = Mapping[Any, Exact]
"""Cell key, or the upper end of its range -> what is added."""


class KeyedLaws(NamedTuple):
    """Count -> what is added -> its chance, in order; `keys`: how many, None of ranges."""

    laws: dict[int, dict[Fraction, Fraction]]
    keys: int | None


def laws_of_keys(tables: Mapping[int, ByKey]) -> KeyedLaws:
    """Return the law of what is added to each count; InputError for keys of no known reading.

    Example: ``laws_of_keys({0: {Fraction(0): Fraction(0)}}).keys`` is ``1``.
    """
    tables = dict(sorted(tables.items()))
    every = {key for table in tables.values() for key in table}
    if all(0 < key <= 1 for key in every) and every != {1}:
        return KeyedLaws({count: _of_ranges(count, of) for count, of in tables.items()}, None)
    keys, first = max(map(len, tables.values())), min(every)
    wanted = {first + k for k in range(keys)}
    for count, table in tables.items():
        if first not in (0, 1) or table.keys() != wanted:
            raise InputError(
                f"count {count}: its cell keys are not 0 to {keys - 1}, or 1 to {keys}, each once; "
                "nor are all keys upper ends of ranges, above 0 and at most 1"
            )
    return KeyedLaws({count: _of_keys(table) for count, table in tables.items()}, keys)


def _of_keys(table: ByKey) -> dict[Fraction, Fraction]:
    """What is added, each with the share of the keys that add it."""
    found = Counter(table.values())
    return {Fraction(n): Fraction(times, len(table)) for n, times in found.items()}


def _of_ranges(count: int, table: ByKey) -> dict[Fraction, Fraction]:
    """What is added, with the chances of its ranges."""
    ends = sorted(table)
    if ends[-1] != 1:
        raise InputError(
            f"count {count}: its largest cell key is {shorten(ends[-1], 24)}, expected 1, as all "
            "keys are upper ends of ranges"
        )
    found: dict[Fraction, Fraction] = {}
    for low, end in pairwise([0, *ends]):
        move = Fraction(table[end])
        found[move] = found.get(move, Fraction(0)) + (end - low)
    return found


def laws_of_lines(lines: object) -> dict[int, dict[Fraction, Fraction]]:
    """Return the law of what is added to each count, in order; InputError naming the line.

    Example: ``laws_of_lines([[0, "1/2", -1], [0, 1, 1]])[0][Fraction(1)]`` is ``1/2``.
    """
    known: dict[str, Exact] = {}  # there are few different texts

    def read(cell: Any, place: int, name: str) -> Exact:
        if type(cell) is str and cell in known:
            return known[cell]
        found = rational(cell, f"line {place}: {name}")
        made = found.numerator if found.denominator == 1 else found
        if type(cell) is str:
            known[cell] = made
        return made

    tables: dict[int, dict[Exact, Exact]] = {}
    stated = listed(lines, "[pcv, ckey, pvalue]", "a list of such lines")
    if len(stated) > MOST_LINES:
        raise InputError(f"{len(stated)} of them, expected at most {MOST_LINES}")
    for place, line in enumerate(stated, 1):
        cells = listed(line, f"line {place}", "[pcv, ckey, pvalue]")
        if len(cells) != len(COLUMNS):
            raise InputError(f"line {place}: {len(cells)} cells, expected pcv, ckey and pvalue")
        count, key, move = (
            read(cell, place, name) for cell, name in zip(cells, COLUMNS, strict=True)
        )
        if count.denominator != 1 or count < 0:
            raise InputError(f"line {place}: pcv: {shorten(count, 24)} is no count")
        table = tables.setdefault(int(count), {})
        if key in table:
            raise InputError(
                f"line {place}: cell key {shorten(key, 24)} of count {int(count)} is there twice"
            )
        table[key] = move
    if not tables:
        raise InputError("there are none, expected some for each count")
    check_no_gap(sorted(tables))
    return laws_of_keys(tables).laws


def check_no_gap(counts: Sequence[int]) -> None:
    """Raise InputError for sorted counts that do not follow each other.

    Example: ``check_no_gap([0, 2])`` raises.
    """
    for count, after in pairwise(counts):
        if after != count + 1:
            raise InputError(f"count {count + 1} has no rows, but counts {count} and {after} have")


def lines_of_file(name: object, digest: object = None) -> list[list[str]]:
    """Return the lines of a CSV file with the columns pcv, ckey and pvalue, in any order.

    `digest`: of its bytes, None where it is not said. Raises InputError that begins with the key
    and the file, for one that is not that.
    Example: ``lines_of_file("no-such-file.csv")`` raises.
    """
    data = bytes_of_named(name, digest, ".csv")
    with told_at(f"file: {shorten(name, 100)}: "):
        if os.path.splitext(str(name))[1].lower() != ".csv":
            raise InputError("expected a name that ends in .csv")
        try:
            return _lines(data.decode("utf-8-sig"))
        except UnicodeDecodeError:
            raise InputError("the file is not UTF-8 text, expected a CSV") from None


def _lines(text: str) -> list[list[str]]:
    rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        head = [cell.strip().lower() for cell in next(filter(None, rows), [])]
        if sorted(head) != sorted(COLUMNS):
            raise InputError(
                f"its first line is {shorten(','.join(head), 60)!r}, expected the columns pcv, "
                "ckey and pvalue alone; pfverify table reads other noise tables"
            )
        order = [head.index(name) for name in COLUMNS]
        found = []
        for row in filter(None, rows):
            if len(row) != len(COLUMNS):
                raise InputError(f"line {rows.line_num}: {len(row)} cells, expected 3")
            found.append([row[k] for k in order])
            if len(found) > MOST_LINES:
                raise InputError(f"more than {MOST_LINES} lines, expected a noise table")
    except csv.Error as error:
        raise InputError(f"this is no CSV: {error}") from None
    return found
