"""Tables of ordered pairs of secrets, which several views show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from pfverify.edge.document import Column, Inline, Paragraph, Table, Text, and_more, say
from pfverify.edge.names import distinct
from pfverify.edge.ordered import Ordered
from pfverify.model.sources.source import DEFAULT_BELIEF

ROWS = 40  # of a table of ordered pairs that are shown
ALIKE = 4  # ordered pairs of the same numbers, from which they are one row
_FEW_NAMES = 3  # in a row of several pairs
_ALL = "--csv or --json has all"
_NAMES = ("belief", "from", "against", "witness")
Pair = TypeVar("Pair", bound=Ordered)
Cells = Mapping[str, Callable[[Pair], Inline | None]]
"""Columns of a table of pairs: header -> what stands there of a pair, None where nothing does."""


def shown_names(pairs: Iterable[Ordered]) -> dict[str, str]:
    """Return what to print for each belief and secret of ordered pairs."""
    return distinct(name for pair in pairs for name in (pair.belief, pair.from_, pair.to))


def beliefs_of(pairs: Iterable[Ordered]) -> set[str]:
    """Return the beliefs of ordered pairs."""
    return {pair.belief for pair in pairs}


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
    notes = [*[alike] * summed, *and_more(left, "ordered pairs, all less close", _ALL)]
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
    Where `alike` or more pairs have the same cells they are one row, with their number.
    `shown` says what to print for a belief or a secret.
    """
    groups: dict[tuple[Inline | None, ...], list[Pair]] = {}
    for pair in pairs:
        cells = tuple(cell(pair) for cell in columns.values())
        groups.setdefault(cells, []).append(pair)
    place = {id(pair): k for k, pair in enumerate(pairs)}
    made = [
        (row, cells) for cells, group in groups.items()
        for row in ([group] if len(group) >= alike else [[pair] for pair in group])
    ]  # fmt: skip
    made = sorted(made, key=lambda one: place[id(one[0][0])])[:most]
    several = len(beliefs_of(pairs)) > 1
    table = [[*_named(row, shown, several=several), *cells] for row, cells in made]
    header = ["belief", "from", "against", *columns]
    given = [k for k in range(len(header)) if any(row[k] is not None for row in table)]
    rows: list[list[Text]] = [[(row[k] or "",) for k in given] for row in table]
    return [header[k] for k in given], rows, len(pairs) - sum(len(row) for row, _ in made)


def _named(
    row: Sequence[Ordered], shown: Callable[[str], str], *, several: bool
) -> list[Inline | None]:
    """The belief of the pairs of a row, from which secrets and against which they are."""
    belief = listed(shown(pair.belief) for pair in row) if several else None
    count = f"{len(row)} pairs: " if len(row) > 1 else ""
    from_ = listed(shown(pair.from_) for pair in row)
    return [belief, f"{count}{from_}", listed(shown(pair.to) for pair in row)]


def listed(names: Iterable[str]) -> str:
    """Return different names with commas, of many the first and their number.

    Example: ``listed("abacd")`` is ``"a, b, c, ... (4)"``.
    """
    known = list(dict.fromkeys(names))
    if len(known) <= _FEW_NAMES:
        return ", ".join(known)
    return f"{', '.join(known[:_FEW_NAMES])}, ... ({len(known)})"


def _column(header: str) -> Column:
    """On a narrow screen names fold; numbers are never cut."""
    if header in _NAMES:
        return Column(header, whole=True, width=8)
    return Column(header, breaks=False, whole=True)
