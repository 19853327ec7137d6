"""The views of what papers print beside what was recomputed."""

from __future__ import annotations

from itertools import groupby
from typing import Any, ClassVar

from pfverify.edge.document import Text, Toned, bad, good, toned
from pfverify.edge.papers.data import paper
from pfverify.edge.papers.distribution import FactRow, Promise, PropertiesResult, PropertyRow
from pfverify.edge.papers.locations import LocationRow, LocationsResult
from pfverify.edge.papers.scales import ScaleCell, ScaleRow
from pfverify.edge.views.view import View
from pfverify.edge.words import rounded_up, times
from pfverify.exact.published import Extended


class PaperView(View[Any]):
    """Tables of a paper, in which what is printed and not so has a mark."""

    mark: ClassVar[str] = "(!)"

    def marked(self, holds: bool) -> Text:
        """Return the mark behind what does not hold."""
        return () if holds else (" ", bad(self.mark))


class _ScalesView(PaperView):
    """Scales of a paper's recipes, each with the verdict on it."""

    def certified(self, every: bool) -> str:
        """Return whether all of them are."""
        return "all certified" if every else "NOT all certified"

    def decided(self, cell: ScaleCell) -> Toned:
        """Return a scale in the tone of its verdict."""
        return toned(cell.verdict, self.rounded(cell.scale))

    def rounded(self, scale: Extended) -> str:
        """Return a scale with four places."""
        return rounded_up(scale, 4)

    def waste(self, row: ScaleRow) -> str:
        """Return how much larger the last recipe's scale is."""
        return times(row.waste, "no noise")


class DemoView(_ScalesView):
    """Table 4 of the noise-reduction paper, recomputed."""

    schema = "demo"

    def relaxed(self) -> list[bool]:
        """Return which printed scales recompute."""
        return [row.cells[-1].recomputes for table in self.result.tables for row in table.rows]

    def recomputed(self) -> int:
        """Return how many do."""
        return sum(self.relaxed())


class CurvesView(_ScalesView):
    """Figures 4, 5, 8 and 9 of the multi-user paper."""

    schema = "multi-user"

    def recipe(self, method: str) -> str:
        """Return what the paper calls a recipe."""
        return str(paper(self.schema)["words"][method])


class PropertiesView(PaperView):
    """Published bound, exact value and true statement, side by side."""

    schema = "distribution"
    result: PropertiesResult

    def cell(self, value: Any) -> object:
        """Return a value in a row: whether a bound holds in a word, an event's outputs apart."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        return " ".join(value) if isinstance(value, tuple) else super().cell(value)

    def promise(self, promise: Promise) -> str:
        """Return an epsilon and a delta."""
        return f"({promise.epsilon}, {promise.delta})"

    def exact_there(self, row: PropertyRow | FactRow) -> Toned:
        """Return what is exact, in the tone of whether it is what is printed."""
        exact = row.exact if isinstance(row, FactRow) else self.promise(row.exact)
        return good(exact) if row.holds else bad(exact)

    def tightest(self, row: PropertyRow) -> str:
        """Return the tightest true statement, if there is one."""
        return "-" if row.true is None else self.promise(row.true)


class LocationsView(_ScalesView):
    """Quality loss against epsilon, mechanism by mechanism."""

    schema = "locations"
    result: LocationsResult

    def grids(self) -> list[list[LocationRow]]:
        """Return the rows of each grid."""
        return [[*rows] for _, rows in groupby(self.result.rows, key=lambda row: row.side)]
