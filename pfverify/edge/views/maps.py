"""The view of a privacy map: what it says at each distance, and what is enough."""

from __future__ import annotations

from typing import ClassVar

from pfverify.crosscheck.maps.result import MapResult
from pfverify.edge.document import Section
from pfverify.edge.views.held import held_section
from pfverify.edge.views.view import Columns, SingleView


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
        return held_section(
            self.name or result.function, f"the map of {result.measurement}", "distances",
            result.found, [(one.outcome, f"d_in = {one.d_in}: {one.words}")
                           for one in result.values], result.assumed,
        )  # fmt: skip
