"""What a report tells beside what was decided: where the numbers come from, and its words."""

from __future__ import annotations

from collections.abc import Sequence

from pfverify.answers.every_value import hides_every_value
from pfverify.edge.document import Block, Text, say, simple_table
from pfverify.edge.hidden_words import hidden_words
from pfverify.edge.pages import Hidden, Item, Listed
from pfverify.edge.report.labels import Names, isolated
from pfverify.edge.report.sentences import entry, paragraph
from pfverify.model.problem import Problem
from pfverify.model.provenance import CONFIDENTIAL

_SHORT = 10  # rows of a table that is not folded


def provenance_blocks(problem: Problem) -> list[Block]:
    """Return where the priors come from, as the problem file tells it."""
    if problem.provenance is None:
        return [paragraph("data.unknown")]
    table, said = problem.provenance.to_table(), entry("data")
    if "release" in table:
        table["release"] = said["releases"].get(table["release"], table["release"])
    if problem.provenance.warning is not None:  # the rest of it is the banner of the page
        table["warning"] = problem.provenance.warning.removesuffix(CONFIDENTIAL).strip()
    labels = said["labels"]
    if problem.provenance.used_no_record:
        labels = {**labels, "calibrated": said["no-record"]}
    items = [Item((f"{label}: {_text(table[key])}",)) for key, label in labels.items()
             if table.get(key, "") != ""]  # fmt: skip
    grids: list[Block] = []
    for key, (caption, *header) in said["tables"].items():
        if key in table:
            rows = [((Names([name]).plain(name),), (_text(value),))
                    for name, value in table[key].items()]  # fmt: skip
            grids.append(grid_or_fold(caption, header, rows))
    every = hides_every_value(problem)
    hidden = [say(words) for words in hidden_words(problem.provenance, itself=every)]
    return [*hidden, paragraph("data.told"), Listed(items), *grids]


def _text(value: object) -> str:
    """What a file says, whole, disturbing nothing beside it."""
    text = str(value)
    return isolated(text if text.isprintable() else ascii(text))


def grid_or_fold(caption: str, header: Sequence[str], rows: Sequence[Sequence[Text]]) -> Block:
    """Return a table, folded away where it is long."""
    grid = simple_table(caption, header, rows)
    return grid if len(rows) <= _SHORT else Hidden(f"{caption} ({len(rows)})", [grid])


def word_list() -> Block:
    """Return the words of a report, for a reader who has met none of them."""
    return Listed([Item((f"{word}: {meaning}.",)) for word, meaning in entry("words").items()])
