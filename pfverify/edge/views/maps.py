"""The view of a privacy map: what it says at each distance, and what is enough."""

from __future__ import annotations

from typing import ClassVar

from pfverify.crosscheck.finding import CaseOutcome
from pfverify.crosscheck.maps.result import HeldValue, MapResult
from pfverify.edge.document import Paragraph, Section, Toned, first, say, title
from pfverify.edge.views.crosscheck import FOUND_TONES, OUTCOME_TONES
from pfverify.edge.views.view import Columns, SingleView

_SHOWN = 12


class MapView(SingleView[MapResult]):
    """What the map of a measurement says, held to the truth."""

    schema = "map"
    columns: ClassVar[Columns] = {
        "d_in": "values.d_in", "outcome": "values.outcome", "epsilon": "values.epsilon",
        "delta": "values.delta", "truth_lower": "values.truth.lower",
        "truth_upper": "values.truth.upper", "factor": "values.factor",
    }  # fmt: skip

    def section(self) -> Section:
        """Return what was found, a line for each distance, and what is assumed."""
        result = self.result
        found = Toned(result.found.value, FOUND_TONES[result.found])
        of = f" (the map of {result.measurement})"
        head = say(title(self.name or result.function), ": ", found, of, level=0)
        lines = [_line(one) for one in sorted(result.values, key=_sound)]
        said = first(lines, _SHOWN, "distances", "--json has all")
        return Section(headline=head, said=[*said], assumed=result.assumed)


def _sound(one: HeldValue) -> bool:
    return one.outcome is CaseOutcome.SOUND


def _line(one: HeldValue) -> Paragraph:
    outcome = Toned(one.outcome.value, OUTCOME_TONES[one.outcome])
    return say(outcome, f" at d_in = {one.d_in}: {one.words}", folds=True)
