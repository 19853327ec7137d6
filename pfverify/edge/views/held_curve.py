"""The view of a table of points that was held to a curve: each point, and what is proved there."""

from __future__ import annotations

from typing import ClassVar

from pfverify.crosscheck.curves.result import HeldCurve, HeldPoint
from pfverify.crosscheck.curves.stated import axis_of
from pfverify.crosscheck.finding import CaseOutcome
from pfverify.edge.document import Paragraph, Section, Toned, first, say, title
from pfverify.edge.views.crosscheck import FOUND_TONES, OUTCOME_TONES
from pfverify.edge.views.view import Columns, SingleView

_SHOWN = 12


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
        found = Toned(result.found.value, FOUND_TONES[result.found])
        of = f" (the curve {result.curve_kind})"
        head = say(title(self.name or result.function), ": ", found, of, level=0)
        name = axis_of(result.curve_kind).place
        lines = [_line(one, name) for one in sorted(result.points, key=_sound)]
        said = first(lines, _SHOWN, "points", "--json has all")
        return Section(headline=head, said=[*said], assumed=result.assumed)


def _sound(one: HeldPoint) -> bool:
    return one.outcome is CaseOutcome.SOUND


def _line(one: HeldPoint, name: str) -> Paragraph:
    outcome = Toned(one.outcome.value, OUTCOME_TONES[one.outcome])
    return say(outcome, f" at {name} {one.place}: {one.words}", folds=True)
