"""The view of a table of points that was held to a curve: each point, and what is proved there."""

from __future__ import annotations

from typing import ClassVar

from pfverify.crosscheck.curves.result import HeldCurve
from pfverify.crosscheck.curves.stated import axis_of
from pfverify.edge.document import Section
from pfverify.edge.views.held import held_section
from pfverify.edge.views.view import Columns, SingleView


class HeldCurveView(SingleView[HeldCurve]):
    """What somebody's points say, held to proved bounds; the worst points come first."""

    schema = "held-curve"
    columns: ClassVar[Columns] = {
        "place": "points.place", "outcome": "points.outcome", "said": "points.said",
        "truth_lower": "points.truth.lower", "truth_upper": "points.truth.upper",
        "unsound_by": "points.unsound_by", "loose_by": "points.loose_by",
        "factor": "points.factor",
    }  # fmt: skip

    def section(self) -> Section:
        """Return what was found, a line for each point, and what is assumed."""
        result = self.result
        name = axis_of(result.curve_kind).place
        return held_section(
            self.name or result.function, f"the curve {result.curve_kind}", "points",
            result.found, [(one.outcome, f"{name} {one.place}: {one.words}")
                           for one in result.points], result.assumed,
        )  # fmt: skip
