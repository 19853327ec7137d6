"""The views of values that somebody states, each held to what is proved there, the worst first."""

from __future__ import annotations

from collections.abc import Sequence

from pfverify.crosscheck.curves.result import HeldCurve, HeldPoint
from pfverify.crosscheck.curves.stated import axis_of
from pfverify.crosscheck.finding import CaseOutcome
from pfverify.crosscheck.maps.result import HeldValue, MapResult
from pfverify.edge.views.view import View

Held = HeldPoint | HeldValue


class HeldCurveView(View[HeldCurve]):
    """What somebody's points say, held to proved bounds."""

    schema = "held-curve"

    def worst_first(self) -> Sequence[Held]:
        """Return the points."""
        return _worst_first(self.result.points)

    def axis(self) -> str:
        """Return what the place of a point is."""
        return axis_of(self.result.curve_kind).place


class MapView(View[MapResult]):
    """What the map of a measurement says, held to the truth at each distance."""

    schema = "map"

    def worst_first(self) -> Sequence[Held]:
        """Return the distances."""
        return _worst_first(self.result.values)


def _worst_first(values: Sequence[Held]) -> Sequence[Held]:
    """Values, those that are sound last."""
    return sorted(values, key=lambda one: one.outcome is CaseOutcome.SOUND)
