"""The picture of a whole curve: the band between its bounds, for which floats are good enough."""

from __future__ import annotations

from pfverify.answers.curves.result import CurvePoint, CurveResult
from pfverify.crosscheck.curves.stated import axis_of
from pfverify.edge.pictures import Axis, Plot, enclosed
from pfverify.edge.views.curve import head

NOTE = "both bounds are proved everywhere, the curve is between them"
_TITLES = {
    "profile": "delta at every epsilon",
    "trade-off": "the errors of every test",
    "odds": "the largest chance of a right guess",
    "renyi": "the Renyi divergence at every order",
}


def curve_picture(result: CurveResult) -> Plot:
    """Return what --plot shows of a curve: that of the problem."""
    axis = axis_of(result.kind)
    place, value = axis.place, axis.value
    points = [_drawn(point, place, value) for point in result.curve]
    keys = [("s0", f"{head(value)} is proved to lie between both lines")]
    low = 0 if result.kind == "trade-off" else None
    return Plot(_TITLES[result.kind], NOTE, Axis(head(place)), Axis(head(value), low=low),
                enclosed(points), keys)  # fmt: skip


def _drawn(point: CurvePoint, place: str, value: str) -> tuple[float, float, float]:
    at, found = getattr(point, place), getattr(point, value)
    return float(at), float(found.lower), float(found.upper)
