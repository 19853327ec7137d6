"""The view of a whole curve: what is proved everywhere, and some of its points."""

from __future__ import annotations

from collections.abc import Sequence

from pfverify.answers.curves.result import CurvePoint, CurveResult
from pfverify.crosscheck.curves.stated import axis_of
from pfverify.edge.document import Column, Table
from pfverify.edge.ordered import shown_names
from pfverify.edge.sentences import sentence
from pfverify.edge.views.pairs import direction
from pfverify.edge.views.view import Columns, View
from pfverify.edge.words import plain
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.published import Real

_SHOWN = 12  # points of a table
_DIGITS = 6
_HEADS = {"type_1": "type I error", "type_2": "type II error"}


def head(key: str) -> str:
    """Return what an axis is called. Example: ``head("type_1")`` is ``"type I error"``."""
    return _HEADS.get(key, key)


class CurveView(View[CurveResult]):
    """A curve with its bounds; data has all points of every ordered pair."""

    schema = "curve"

    @property
    def columns(self) -> Columns:
        """The place and both bounds of every point; an epsilon has two ends and a growth."""
        place, value = self._axes
        of = "pairs.points"
        at = {place: f"{of}.{place}"} if place != "epsilon" else {
            "growth": f"{of}.growth", "epsilon_lower": f"{of}.epsilon.lower",
            "epsilon_upper": f"{of}.epsilon.upper",
        }  # fmt: skip
        ends = {f"{value}_{end}": f"{of}.{value}.{end}" for end in ("lower", "upper")}
        names = {"belief": "pairs.belief", "from": "pairs.from_", "to": "pairs.to"}
        return {"kind": "kind", **names, **at, **ends}

    @property
    def _axes(self) -> tuple[str, str]:
        axis = axis_of(self.result.kind)
        return axis.place, axis.value

    def proved(self) -> str:
        """Return what is proved everywhere."""
        result = self.result
        ends = {"start": _near(result.start), "end": _near(result.end)}
        return sentence(f"curve.{result.kind}", **ends, widest=_ends(result.widest)[1])

    def farthest(self) -> str:
        """Return the pair whose bounds are farthest apart."""
        pairs = self.result.pairs
        return direction(max(pairs, key=lambda pair: pair.widest.upper), shown_names(pairs))

    def places(self) -> int:
        """Return how many points there are of all pairs."""
        return sum(len(pair.points) for pair in self.result.pairs)

    def is_wider(self) -> bool:
        """Say whether more is left than was asked for."""
        return bool(self.result.widest.upper > self.result.gap)

    def more(self) -> int:
        """Return how many points the table does not show."""
        return len(self.result.curve) - len(few(self.result.curve))

    def table(self) -> list[Table]:
        """Return some points of the curve of the problem."""
        place, value = self._axes
        rows = [
            [(_at(getattr(point, place)),), *((end,) for end in _ends(getattr(point, value)))]
            for point in few(self.result.curve)
        ]
        heads = (head(place), f"{value}_lower", f"{value}_upper")
        return [Table([Column(text, right=True) for text in heads], rows)]


def few(points: Sequence[CurvePoint]) -> Sequence[CurvePoint]:
    """Return some points for a table, the first and the last among them."""
    if len(points) <= _SHOWN:
        return points
    return [points[round(k * (len(points) - 1) / (_SHOWN - 1))] for k in range(_SHOWN)]


def _at(place: Real | Enclosure) -> str:
    return _near(place) if isinstance(place, Enclosure) else plain(place)


def _near(place: Enclosure) -> str:
    """A place that is known to many digits, for people."""
    exact = place.lower == place.upper and len(str(place.lower)) <= _DIGITS
    return str(place.lower) if exact else f"{float(place):.{_DIGITS}g}"


def _ends(found: Enclosure) -> tuple[str, str]:
    from fractions import Fraction

    from pfverify.exact.decimals import decimal_lower, decimal_upper
    from pfverify.exact.published import Infinite

    low, high = found.lower, found.upper
    return (
        str(low) if isinstance(low, Infinite) else decimal_lower(Fraction(low), _DIGITS),
        str(high) if isinstance(high, Infinite) else decimal_upper(Fraction(high), _DIGITS),
    )

