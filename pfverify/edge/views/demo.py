"""The view of the recomputed Table 4."""

from __future__ import annotations

from pfverify.edge.demo import METHODS, DemoCell, DemoResult, DemoRow, DemoTable
from pfverify.edge.document import (
    Column,
    Paragraph,
    Section,
    Table,
    Text,
    Toned,
    bad,
    say,
    title,
    toned,
)
from pfverify.edge.views.numbers import rounded_up, times
from pfverify.edge.views.view import View

_HEADER = ("epsilon", "l1", "W1", "relaxed, printed", "ours", "smaller side", "minimum", "waste")
_STATE = {True: "certified", False: "NOT all certified"}


class DemoView(View[DemoResult]):
    """Table 4 of the noise-reduction paper, recomputed."""

    schema = "demo"

    def sections(self) -> list[Section]:
        """Return one table per data set, and the printed values that do not recompute."""
        first = Section(
            headline=say(title("Table 4 of the noise-reduction paper, recomputed from the priors"),
                         level=0, folds=True),
            said=[
                say(
                    "Every scale of ours below was decided exactly, for all outputs and both "
                    f"orders: all {_STATE[self.result.all_certified]}. `ours` is what the printed "
                    "relaxed scale should be, `smaller side` what already suffices, `minimum` the "
                    "smallest private scale (0: no noise is needed, against the listed secrets and "
                    "exactly these priors; the value itself is published), `waste` the printed "
                    "scale over it."
                )
            ],
        )  # fmt: skip
        tables = [Section(tables=[_table(table)], apart=True) for table in self.result.tables]
        return [first, *tables, Section(said=self._mismatches(), apart=True)]

    def _mismatches(self) -> list[Paragraph]:
        result = self.result
        count = sum(len(table.rows) for table in result.tables)
        wrong = sum(not row.cells[-1].recomputes for t in result.tables for row in t.rows)
        total = f"{count - wrong} of {count} printed relaxed scales recompute."
        return [
            say(total, level=0, folds=True),
            *(say(bad("(!) does not recompute"), f": {text}") for text in result.mismatches),
        ]


def _table(data: DemoTable) -> Table:
    columns = [Column(header, right=True) for header in _HEADER]
    rows = [_cells(row) for row in data.rows]
    return Table(columns, rows, caption=f"{data.title}  (example:{data.example})")


def _cells(row: DemoRow) -> list[Text]:
    by_method = {cell.method: cell for cell in row.cells}
    l1, w1, relaxed = (by_method[method] for method in METHODS)
    return [
        (row.epsilon,),
        (_ours(l1), *_mark(l1)),
        (_ours(w1), *_mark(w1)),
        (relaxed.published, *_mark(relaxed)),
        (_ours(relaxed),),
        (rounded_up(row.relaxed, 4),),
        (rounded_up(row.minimum.upper, 4),),
        (times(row.waste, "no noise"),),
    ]


def _ours(cell: DemoCell) -> Toned:
    return toned(cell.verdict, rounded_up(cell.scale, 4))


def _mark(cell: DemoCell) -> Text:
    """Mark a printed value that does not recompute."""
    return () if cell.recomputes else (" ", bad("(!)"))
