"""Tables of ordered pairs of secrets, which several views show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from pfverify.edge.document import Column, Inline, Paragraph, Table, Text, and_more
from pfverify.edge.names import distinct
from pfverify.edge.ordered import Ordered
from pfverify.model.sources.source import DEFAULT_BELIEF

ROWS = 40  # ordered pairs shown in a table
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


def pair_table(pairs: Sequence[Pair], columns: Cells[Pair]) -> Table:
    """Return the table of the first pairs: their names, then these columns."""
    header, rows = pair_rows(pairs, columns, shown_names(pairs).__getitem__, ROWS)
    return Table([_column(name) for name in header], rows)


def pair_rows(
    pairs: Sequence[Pair], columns: Cells[Pair], shown: Callable[[str], str], most: int
) -> tuple[list[str], list[list[Text]]]:
    """Return the header and the rows of the first pairs: their names, then these columns.

    A column in which no pair has a cell is left out, as that of beliefs where there is one alone.
    `shown` says what to print for a belief or a secret.
    """
    several = len(beliefs_of(pairs)) > 1
    names: Cells[Pair] = {
        "belief": lambda pair: shown(pair.belief) if several else None,
        "from": lambda pair: shown(pair.from_),
        "against": lambda pair: shown(pair.to),
    }
    cells = {header: [cell(pair) for pair in pairs[:most]]
             for header, cell in {**names, **columns}.items()}  # fmt: skip
    given = {header: found for header, found in cells.items() if set(found) != {None}}
    rows: list[list[Text]] = [
        [(cell or "",) for cell in row] for row in zip(*given.values(), strict=True)
    ]
    return list(given), rows


def _column(header: str) -> Column:
    """On a narrow screen names fold; numbers are never cut."""
    if header in _NAMES:
        return Column(header, whole=True, width=8)
    return Column(header, breaks=False, whole=True)


def more_pairs(count: int) -> list[Paragraph]:
    """Return the sentence about the pairs that a table leaves out, if there are any."""
    return and_more(count - ROWS, "ordered pairs, all less close", "--csv or --json has all")
