"""Tables of ordered pairs of secrets, which several views show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from pfverify.edge.document import Column, Inline, Paragraph, Table, Text, and_more, say
from pfverify.edge.ordered import Ordered, beliefs_of, shown_names
from pfverify.edge.words import PLACE_HEADERS
from pfverify.model.sources.source import DEFAULT_BELIEF

ROWS = 40  # of a table of ordered pairs that are shown
ALIKE = 4  # ordered pairs of the same numbers, from which they are one row of a long table
_SHORT = 10  # ordered pairs up to which each has a row
_FEW_NAMES = 3  # in a row of several pairs
_ALL = "--csv or --json has all"
_NAMES = ("belief", "from", "against", "witness")
Pair = TypeVar("Pair", bound=Ordered)
Cells = Mapping[str, Callable[[Pair], Inline | None]]
"""Columns of a table of pairs: header -> what stands there of a pair, None where nothing does."""


def direction(pair: Ordered, shown: Mapping[str, str]) -> str:
    """Return an ordered pair as "a -> b", with its belief where that has a name."""
    belief = "" if pair.belief == DEFAULT_BELIEF else f" (belief {shown[pair.belief]})"
    return f"{shown[pair.from_]} -> {shown[pair.to]}{belief}"


def pair_table(pairs: Sequence[Pair], columns: Cells[Pair]) -> tuple[Table, list[Paragraph]]:
    """Return the table of the first pairs, and the sentences about what it sums up or leaves out.
    """
    header, rows, left = pair_rows(pairs, columns, shown_names(pairs).__getitem__, ROWS)
    summed = len(rows) + left < len(pairs)
    alike = say(f"A row of several ordered pairs: each has these numbers ({_ALL}).", folds=True)
    notes = [*[alike] * summed, *and_more(left, "ordered pair", f"all less close; {_ALL}")]
    return Table([_column(name) for name in header], rows), notes


def pair_rows(
    pairs: Sequence[Pair],
    columns: Cells[Pair],
    shown: Callable[[str], str],
    most: int,
    alike: int = ALIKE,
) -> tuple[list[str], list[list[Text]], int]:
    """Return the header and so many rows of pairs, their names and then these columns; and how
    many pairs are in none of these rows.

    A column in which no pair has a cell is left out, as that of beliefs where there is one alone.
    Where `alike` or more of many pairs have the same numbers, wherever they are reached, they are
    one row that says how many. `shown` says what to print for a belief or a secret.
    """
    groups: dict[tuple[Inline | None, ...], list[int]] = {}
    cells = [{header: cell(pair) for header, cell in columns.items()} for pair in pairs]
    for k, row in enumerate(cells):
        numbers = (cell for header, cell in row.items() if header not in PLACE_HEADERS)
        groups.setdefault(tuple(numbers), []).append(k)
    alone = len(pairs) <= _SHORT
    rows = sorted(
        row for group in groups.values()
        for row in ([[k] for k in group] if alone or len(group) < alike else [group])
    )[:most]  # fmt: skip
    several = len(beliefs_of(pairs)) > 1
    table: list[dict[str, Inline | None]] = [
        _named([pairs[k] for k in row], shown, several=several)
        | {header: _of_many([cells[k][header] for k in row]) for header in columns}
        for row in rows
    ]
    given = [header for header in ("belief", "from", "against", *columns)
             if any(row[header] is not None for row in table)]  # fmt: skip
    made: list[list[Text]] = [[(row[header] or "",) for header in given] for row in table]
    return given, made, len(pairs) - sum(map(len, rows))


def _of_many(cells: Sequence[Inline | None]) -> Inline | None:
    """What stands in a cell for several pairs: of different places the first, and their number."""
    if len(set(cells)) == 1:
        return cells[0]
    return listed((str(cell) for cell in cells), most=1)


def _named(
    row: Sequence[Ordered], shown: Callable[[str], str], *, several: bool
) -> dict[str, Inline | None]:
    """The belief of the pairs of a row, from which secrets and against which they are."""
    first, second = named_pairs([(shown(pair.from_), shown(pair.to)) for pair in row])
    return {
        "belief": listed(shown(pair.belief) for pair in row) if several else None,
        "from": first,
        "against": second,
    }


def named_pairs(pairs: Sequence[tuple[str, str]]) -> tuple[str, str]:
    """Return both names of a row of pairs: where they are all pairs of some names, or of some
    against others, these names; else those of the first pair.

    Example: ``named_pairs([("a", "b"), ("c", "d")])`` is ``('2 pairs, such as a', 'b')``.
    """
    ones, others = (list(dict.fromkeys(pair[k] for pair in pairs)) for k in (0, 1))
    if len(pairs) == 1:
        return ones[0], others[0]
    count, known = len(set(pairs)), {*ones, *others}
    among = len(known) * (len(known) - 1)
    every = not {*ones} & {*others} and count == len(ones) * len(others)
    one_way = not any((b, a) in pairs for a, b in pairs)
    if every or count == (among // 2 if one_way else among):
        return f"{len(pairs)} pairs: {listed(ones)}", listed(others)
    return f"{len(pairs)} pairs, such as {ones[0]}", others[0]


def listed(names: Iterable[str], most: int = _FEW_NAMES) -> str:
    """Return different names with commas, of more than so many the first and their number.

    Example: ``listed("abacd")`` is ``"a, b, c, ... (4)"``.
    """
    known = list(dict.fromkeys(names))
    if len(known) <= most:
        return ", ".join(known)
    return f"{', '.join(known[:most])}, ... ({len(known)})"


def _column(header: str) -> Column:
    """On a narrow screen names fold; numbers are never cut."""
    if header in _NAMES:
        return Column(header, whole=True, width=8)
    return Column(header, breaks=False, whole=True)
