"""The views of values that somebody states, each held to what is proved there, the worst first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from pfverify.crosscheck.curves.result import HeldCurve
from pfverify.crosscheck.curves.stated import axis_of
from pfverify.crosscheck.finding import CaseOutcome
from pfverify.crosscheck.maps.result import MapResult
from pfverify.edge.views.view import View

Held = tuple[CaseOutcome, str]
"""What comes of a value, and where and why."""


class _HeldView(View[Any]):
    """A line for each value, and what is assumed."""

    def each(self) -> Sequence[Held]:
        """Return the values."""
        raise NotImplementedError

    def worst_first(self) -> Sequence[Held]:
        """Return the values, those that are sound last."""
        return sorted(self.each(), key=lambda one: one[0] is CaseOutcome.SOUND)


class HeldCurveView(_HeldView):
    """What somebody's points say, held to proved bounds."""

    schema = "held-curve"
    values: ClassVar[str] = "points"
    result: HeldCurve

    def what(self) -> str:
        """Return what was held."""
        return f"the curve {self.result.curve_kind}"

    def each(self) -> Sequence[Held]:
        """Return the points."""
        name = axis_of(self.result.curve_kind).place
        return [(one.outcome, f"{name} {one.place}: {one.words}") for one in self.result.points]


class MapView(_HeldView):
    """What the map of a measurement says, held to the truth at each distance."""

    schema = "map"
    values: ClassVar[str] = "distances"
    result: MapResult

    def what(self) -> str:
        """Return what was held."""
        return f"the map of {self.result.measurement}"

    def each(self) -> Sequence[Held]:
        """Return the distances."""
        return [(one.outcome, f"d_in = {one.d_in}: {one.words}") for one in self.result.values]
