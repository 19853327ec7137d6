"""Noise tables by lines: a true count, a cell key or the upper end of its range, and what is added.

Keys are whole numbers, the same for every count, 0 to m - 1 or 1 to m, each of which has the chance
1/m; or all are above 0 and at most 1 and end ranges of a key that is uniform in [0, 1].
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise
from typing import Any

from core.grammar import Malformed, bounded, canonical, shown
from core.kinds import Prior
from core.shapes import array, in_order, rational
from core.work import spend, table_of

COLUMNS = ["ckey", "pcv", "pvalue"]
MOST = 1_000_000  # lines
NIL = Fraction(0)


def laws_of(value: Any, what: str) -> dict[Fraction, Prior]:
    """The law of what is added to each count, in order."""
    lines = array(value, what)
    if not lines or len(lines) > MOST:
        raise Malformed(f"{what}: there must be lines, at most {MOST} of them")
    spend(64 * len(lines))
    counts: dict[Fraction, list[tuple[Fraction, Fraction]]] = {}
    for line in lines:
        if len(array(line, f"{what}: a line")) != len(COLUMNS):
            raise Malformed(f"{what}: a line must have pcv, ckey and pvalue")
        count, key, move = (rational(x, f"{what}: a line") for x in line)
        if count.denominator != 1 or count < 0:
            raise Malformed(f"{what}: {shown(canonical(count))} is no count")
        counts.setdefault(count, []).append((key, move))
    order = sorted(counts)
    if any(b != a + 1 for a, b in pairwise(order)):
        raise Malformed(f"{what}: a count between others has no lines")
    tables = [_by_key(counts[count], f"{what}: count {canonical(count)}") for count in order]
    every = [key for table in tables for key in (min(table), max(table))]
    if min(every) > 0 and max(every) == 1 and any(len(table) > 1 for table in tables):
        return dict(zip(order, map(_of_ranges, tables), strict=True))
    return dict(zip(order, _of_keys(tables, what), strict=True))


def _by_key(rows: list[tuple[Fraction, Fraction]], what: str) -> Prior:
    """What is added, by the keys."""
    table_of(key for key, _ in rows)
    table_of({move for _, move in rows})
    found = dict(rows)
    if len(found) < len(rows):
        raise Malformed(f"{what} has a cell key twice")
    return found


def _of_ranges(table: Prior) -> Prior:
    """The law of ranges that end at the keys, which are above 0."""
    ends = in_order(table)
    if ends[-1] != 1:
        raise Malformed("the upper ends of ranges of cell keys must end at 1 for every count")
    found: Prior = {}
    for low, end in pairwise([NIL, *ends]):
        found[table[end]] = bounded(found.get(table[end], NIL) + end - low)
    return {move: found[move] for move in in_order(found)}


def _of_keys(tables: list[Prior], what: str) -> list[Prior]:
    """The laws of keys that are as likely as each other, the same for every count."""
    keys = in_order(tables[0])
    whole = keys[0] in (0, 1) and all(b == a + 1 for a, b in pairwise(keys))
    if not whole or any(table.keys() != tables[0].keys() for table in tables):
        raise Malformed(
            f"{what}: the cell keys are neither whole numbers, the same for every count, nor upper "
            "ends of ranges up to 1"
        )
    counts = [Counter(table.values()) for table in tables]
    return [{n: Fraction(of[n], len(keys)) for n in in_order(of)} for of in counts]


def lines_of(data: bytes, what: str) -> list[list[str]]:
    """The lines of a CSV file whose first names the three columns, in any order; empty ones are
    skipped."""
    import csv
    import io

    found: list[list[str]] = []
    try:
        text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8")
        rows = csv.reader(io.StringIO(text, newline=""), strict=True)
        head = [cell.strip().lower() for cell in next(filter(None, rows), [])]
        if sorted(head) != COLUMNS:
            raise Malformed(f"{what}: its columns must be pcv, ckey and pvalue")
        places = [head.index(name) for name in ("pcv", "ckey", "pvalue")]
        for cells in filter(None, rows):
            if len(cells) != len(COLUMNS) or len(found) == MOST:
                raise Malformed(f"{what}: more than {MOST} lines, or one without 3 cells")
            found.append([cells[k] for k in places])
    except (ValueError, csv.Error) as reason:
        raise Malformed(f"{what} is no CSV: {shown(str(reason))}") from None
    return found
