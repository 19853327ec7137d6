"""Tables of ordered pairs of secrets, which several views show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pfverify.edge.document import Column, Paragraph, Table, Text, and_more
from pfverify.edge.names import distinct
from pfverify.edge.ordered import Ordered
from pfverify.model.sources.source import DEFAULT_BELIEF

ROWS = 40  # ordered pairs shown in a table
_NAMES = ("belief", "from", "against", "witness")


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


def pair_table(
    pairs: Sequence[Ordered], header: Sequence[str], cells: Iterable[Sequence[Text]]
) -> Table:
    """Return the table of the first pairs: their names, then these columns.

    With several beliefs their name comes first. `cells` has the rest of every row, in order.
    """
    several = len(beliefs_of(pairs)) > 1
    shown = shown_names(pairs)
    rows = []
    for pair, rest in zip(pairs[:ROWS], cells, strict=False):
        names = [pair.belief] * several + [pair.from_, pair.to]
        rows.append([*((shown[name],) for name in names), *rest])
    columns = ["belief"] * several + ["from", "against", *header]
    return Table([_column(name) for name in columns], rows)


def _column(header: str) -> Column:
    """On a narrow screen names fold; numbers are never cut."""
    if header in _NAMES:
        return Column(header, whole=True, width=8)
    return Column(header, breaks=False, whole=True)


def more_pairs(count: int) -> list[Paragraph]:
    """Return the sentence about the pairs that a table leaves out, if there are any."""
    return and_more(count - ROWS, "ordered pairs, all less close", "--csv or --json has all")
