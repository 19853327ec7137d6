"""The view of what papers print beside what was recomputed, set as the file of the paper says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any

from pfverify.decide.verdict import Verdict
from pfverify.edge.document import (
    VERDICT_TONES,
    Column,
    Paragraph,
    Section,
    Table,
    Text,
    Tone,
    Toned,
    bad,
    say,
    title,
)
from pfverify.edge.papers.data import paper
from pfverify.edge.papers.distribution import Promise
from pfverify.edge.views.data import reached
from pfverify.edge.views.view import Columns, Row, View
from pfverify.edge.words import rounded_up, times

_MARK = "(!)"
_CERTIFIED = {True: "all certified", False: "NOT all certified"}


class PaperView(View[Any]):
    """Tables of a paper; columns and words are those of the paper's file, by the schema's name."""

    def sections(self) -> list[Section]:
        """Return what is shown, a section per table, and what more its description has."""
        page = self._page()
        said = [self._sentence(**sentence) for sentence in page["said"]]
        first = Section(headline=say(title(page["title"]), level=0, folds=True), said=said)
        tables = [table for spec in page["tables"] for table in self._tables(**spec)]
        return [first, *(Section(tables=[one], apart=one.caption != "") for one in tables),
                *self._builder.sections(self.described.get("sections", []))]  # fmt: skip

    @property
    def columns(self) -> Columns:
        """The table of data that the file names."""
        found: Columns = self._page().get("csv", {})
        return found

    def rows(self) -> list[Row]:
        """Return the rows of that table; InputError where the file names none."""
        return [{name: _plain(cell) for name, cell in row.items()} for row in super().rows()]

    def _page(self) -> dict[str, Any]:
        found: dict[str, Any] = paper(self.schema)["page"]
        return found

    def _sentence(self, text: str, *, folds: bool) -> Paragraph:
        values = {name: _counted(value) for name, value in vars(self.result).items()}
        before, mark, after = text.format_map(values).partition(_MARK)
        return say(*(part for part in (before, bad(mark), after) if part), folds=folds)

    def _tables(
        self, of: str, columns: Sequence[Mapping[str, Any]], caption: str = "", by: str = ""
    ) -> Iterator[Table]:
        """The rows of an attribute: as one table, one for each of its items, or by a key."""
        for about, rows in _groups(getattr(self.result, of), by):
            heads = [
                Column(self._header(column, rows[0]), right=column.get("right", False),
                       whole=column.get("whole", False))
                for column in columns
            ]  # fmt: skip
            cells = [[_cell(row, column) for column in columns] for row in rows]
            yield Table(heads, cells, caption.format_map(about))

    def _header(self, column: Mapping[str, Any], row: object) -> str:
        """What is said of a column: always, or of what it has in the first row."""
        if "header" in column:
            return str(column["header"])
        return str(paper(self.schema)["words"][_at(row, column["named"])])


class DemoView(PaperView):
    """Table 4 of the noise-reduction paper, recomputed."""

    schema = "demo"

    def relaxed(self) -> list[bool]:
        """Return which printed scales recompute."""
        return [row.cells[-1].recomputes for table in self.result.tables for row in table.rows]

    def recomputed(self) -> int:
        """Return how many do."""
        return sum(self.relaxed())

    def not_recomputed(self) -> Toned:
        """Return what the mark says."""
        return bad(f"{_MARK} does not recompute")


class CurvesView(PaperView):
    """Figures 4, 5, 8 and 9 of the multi-user paper."""

    schema = "multi-user"


class PropertiesView(PaperView):
    """Published bound, exact value and true statement, side by side."""

    schema = "distribution"


class LocationsView(PaperView):
    """Quality loss against epsilon, mechanism by mechanism."""

    schema = "locations"


def _at(row: object, path: str) -> Any:
    return reached(row, path.split("."))


def _groups(found: Sequence[Any], by: str) -> Iterator[tuple[dict[str, Any], Sequence[Any]]]:
    if not by:
        yield {}, found
    elif by == "rows":
        yield from ((vars(one), one.rows) for one in found)
    else:
        for _, group in groupby(found, attrgetter(by)):
            rows = list(group)
            yield vars(rows[0]), rows


def _cell(row: object, column: Mapping[str, Any]) -> Text:
    text = _FORMS[column.get("as", "text")](_at(row, column["of"]))
    toned = text if "toned" not in column else Toned(text, _TONES[_at(row, column["toned"])])
    marked = "marked" in column and not _at(row, column["marked"])
    return (toned, " ", bad(_MARK)) if marked else (toned,)


def _promise(promise: Promise | None) -> str:
    return "-" if promise is None else f"({promise.epsilon}, {promise.delta})"


_FORMS: dict[str, Callable[[Any], str]] = {
    "text": str,
    "scale": lambda scale: rounded_up(scale, 4),
    "waste": lambda waste: times(waste, "no noise"),
    "promise": _promise,
}
_TONES: dict[Verdict | bool, Tone] = VERDICT_TONES | {True: Tone.GOOD, False: Tone.BAD}


def _counted(value: object) -> object:
    """A value in a sentence: how many there are, and whether all is certified, in words."""
    if isinstance(value, bool):
        return _CERTIFIED[value]
    return len(value) if isinstance(value, list) else value


def _plain(value: Any) -> Any:
    """A value in a row of data."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return " ".join(value)
    return value
