"""What a report tells beside what was decided: where the numbers come from, and its words."""

from __future__ import annotations

from collections.abc import Sequence

from pfverify.edge.document import Block, Hidden, Item, Listed, Paragraph, Text, simple_table
from pfverify.edge.report.labels import Names, isolated
from pfverify.model.problem import Problem

_SHORT = 10  # rows of a table that is not folded

_TOLD = {
    "data": "Data", "sha256": "sha256 of the data", "secret": "Column of the secret",
    "public": "Column that is released", "unit": "Unit", "release": "What is released",
    "where": "Rows taken", "rows_read": "Rows read", "rows_used": "Rows used",
    "rest": "The others", "clip": "Clipping",
    "bins": "Bins", "fit": "Fitted law", "empty_cells": "Cells without a record",
    "warning": "Bear in mind",
}  # fmt: skip
_RELEASES = {
    "value": "one record's value", "count": "the count over all records",
    "sum": "the sum over all records", "mean": "the mean over all records",
}  # fmt: skip
_TABLES_TOLD = {
    "records": ("Rows of each secret", "secret", "rows"),
    "dropped": ("Rows left out", "reason", "rows"),
    "codes": ("Codes", "category", "number"),
    "smallest_cell": ("The smallest cell", "what", "value"),
}  # fmt: skip


def provenance_blocks(problem: Problem) -> list[Block]:
    """Return where the priors come from, as the problem file tells it."""
    known = problem.provenance
    if known is None:
        return [Paragraph(("The problem file does not say.",))]
    table = known.to_table()
    if "release" in table:
        table["release"] = _RELEASES.get(table["release"], table["release"])
    items = [Item((f"{label}: {_text(table[key])}",)) for key, label in _TOLD.items()
             if key in table]  # fmt: skip
    grids: list[Block] = []
    for key, (caption, *header) in _TABLES_TOLD.items():
        if key in table:
            rows = [((Names([name]).plain(name),), (_text(value),))
                    for name, value in table[key].items()]  # fmt: skip
            grids.append(grid_or_fold(caption, header, rows))
    told = Paragraph(("As the problem file tells it; nothing here decides anything.",))
    return [told, Listed(items), *grids]


def _text(value: object) -> str:
    """What a file says, whole, disturbing nothing beside it."""
    text = str(value)
    return isolated(text if text.isprintable() else ascii(text))


def grid_or_fold(caption: str, header: Sequence[str], rows: Sequence[Sequence[Text]]) -> Block:
    """Return a table, folded away where it is long."""
    grid = simple_table(caption, header, rows)
    return grid if len(rows) <= _SHORT else Hidden(f"{caption} ({len(rows)})", [grid])

_WORDS = {
    "belief": "what somebody takes for granted: for each secret the law of the true number",
    "prior": "the law of the true number if one secret is true",
    "secret": "what is to be hidden; two of them make a pair, which is compared both ways",
    "ε (epsilon)": "the privacy target: with δ = 0, e^ε is the factor by which odds may change",
    "δ (delta)": "what the target adds to e^ε times a probability; 0 is the strictest",
    "odds": "the probability of one thing over that of another: 3 to 1",
    "loss": "the largest log ratio of the two laws of the output",
    "log ratio": "the logarithm of how many times likelier an output is under one secret",
    "scale": "the size of the noise; the larger, the more private and the less accurate",
    "certified": "proved to meet the target at every output",
    "refuted": "proved not to meet it",
    "certificate": "a file that proves a verdict, for a program that trusts nothing else",
    "kernel": "the small program that checks certificates, apart from all that finds them",
    "tie": "the bound holds with equality, exactly",
}


def word_list() -> Block:
    """Return the words of a report, for a reader who has met none of them."""
    return Listed([Item((f"{word}: {meaning}.",)) for word, meaning in _WORDS.items()])
