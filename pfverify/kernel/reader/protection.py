"""Notions beyond one epsilon for all pairs: by what epsilon is multiplied, pair by pair.

xdp: by a distance of the two inputs; xdistp: by W-infinity of the two priors over a distance, or
by a table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from core.grammar import Malformed, Number, combine, shown
from core.rules import Names
from core.shapes import rational
from reader import distances
from reader.distances import (
    Ground,
    Points,
    canonical_points,
    canonical_table,
    points_of,
    table_of_pairs,
)
from reader.tables import noise_kind
from reader.target import Uniform, written

if TYPE_CHECKING:
    from reader.noise import Noise
    from reader.protocols import Release, Source
    from reader.released import Channelled

METRICS = {"xdp": "distance", "xdistp": "winf"}  # the metric that a notion has by itself
DISTANCES = ("numbers", "euclidean", "manhattan")

class Metric:
    """What epsilon is multiplied by."""

    def __init__(self, words: str, written: Any, between: Callable[[Names], Number]) -> None:
        self.words, self.written, self._between = words, written, between
        self._known: dict[Names, Number] = {}

    def times(self, epsilon: Number, names: Names) -> Number:
        """epsilon for a belief and two secrets, in either order."""
        belief, a, b = names
        key = names if (belief, b, a) not in self._known else (belief, b, a)
        if key not in self._known:
            self._known[key] = self._between(names)
        d = self._known[key]
        return combine("*", epsilon, d) if d not in (0, 1) else epsilon if d == 1 else Fraction(0)


class Metrical(Uniform):
    """A notion in which a metric multiplies epsilon."""

    def __init__(self, name: str, metric: Metric, written: dict[str, Any]) -> None:
        super().__init__(name, written)
        self.metric = metric

    def words(self) -> str:
        """The notion and its metric, in a message."""
        return f"notion={self.name} metric={self.metric.words}"

    def epsilon(self, stated: Number, names: Names) -> Number:
        """The epsilon of a belief and two secrets."""
        return self.metric.times(stated, names)


def _of_table(table: Mapping[tuple[str, str], Number]) -> Metric:
    def between(names: Names) -> Number:
        return distances.looked_up(table, "the metric", *names[1:])

    return Metric("table", canonical_table(table), between)


Found = tuple[Metric, dict[str, Any]]


def _on_the_line(stated: Any, metric: str, release: Noise, source: Source) -> Found:
    """W-infinity of two laws of numbers."""

    def between(names: Names) -> Number:
        belief, *secrets = names
        p, q = (source.beliefs[belief][secret] for secret in secrets)
        if type(p) is not dict or type(q) is not dict:
            raise Malformed("W-infinity needs discrete priors")
        return distances.on_numbers(p, q)

    return Metric("winf", metric, between), {"metric": metric}


def _of_inputs(stated: Any, metric: str, release: Channelled, source: Source) -> Found:
    """The distance of two inputs, or W-infinity of two laws of them over it."""
    name, ground, more = _ground(stated, [*release.channel.inputs], release.places)
    if "metric" in stated:
        more["metric"] = metric
    if source.of == "inputs":
        return Metric(f"distance({name})", metric, lambda n: ground.distance(n[1], n[2])), more

    def between(n: Names) -> Number:
        p, q = ({x: m for x, m in source.beliefs[n[0]][s].items() if m} for s in n[1:])
        if name != "numbers":
            return distances.w_infinity(p, q, ground)
        return distances.on_numbers(*(_by_number(law) for law in (p, q)))

    return Metric(f"winf({name})", metric, between), more


def _by_number(law: Mapping[str, Fraction]) -> dict[Fraction, Fraction]:
    """A law of names that are numbers; two of them may be one number."""
    found: dict[Fraction, Fraction] = {}
    for name, mass in law.items():
        x = rational(name, "an input")
        found[x] = found.get(x, Fraction(0)) + mass
    return found


def _ground(
    value: Any, names: list[str], places: Points | None
) -> tuple[str, Ground, dict[str, Any]]:
    """The distance of inputs: its name, itself, and its keys as they go into a digest."""
    written: dict[str, Any] = {}
    points = places
    if places is None and "points" in value:
        points = points_of(value["points"], "points")
        written["points"] = canonical_points(points)
        if points.keys() != set(names):
            raise Malformed("points must name each input once")
    stated = value.get("distance", "numbers" if points is None else "euclidean")
    if "distance" in value:
        written["distance"] = stated
    if type(stated) is not str:
        if points is not places:
            raise Malformed("a table of distances needs no points")
        table = table_of_pairs(stated, "distance", set(names))
        written["distance"] = canonical_table(table)
        return "table", distances.of_table(table, "distance"), written
    if stated not in DISTANCES:
        raise Malformed(f"the distance {shown(stated)} is not known to this kernel")
    if stated == "numbers":
        if points is not places:
            raise Malformed("inputs that are numbers need no points")
        numbers = {name: rational(name, f"the input {shown(name)}") for name in names}
        return stated, distances.of_numbers(numbers), written
    if points is None:
        raise Malformed(f"the {stated} distance needs points")
    make = {"euclidean": distances.euclidean, "manhattan": distances.manhattan}[stated]
    return stated, make(points), written


# whether X is a number, which a table `noise` releases
METRIC_OF: dict[bool, Callable[[Any, str, Any, Source], Found]] = {
    True: _on_the_line,
    False: _of_inputs,
}


def notion(stated: Any, name: str, release: Release, source: Source) -> Metrical:
    """The notion with a metric that a table states."""
    metric, about = stated.get("metric", METRICS[name]), written(stated, name)
    if metric != METRICS[name]:
        for key in {"distance", "points"} - release.own:
            if key in stated:
                raise Malformed(f"a table as metric has no {key}")
        secrets = {secret for laws in source.beliefs.values() for secret in laws}
        of_table = _of_table(table_of_pairs(metric, "metric", secrets))
        return Metrical(name, of_table, {**about, "metric": of_table.written})
    found, more = METRIC_OF[noise_kind(release.kind).stated](stated, metric, release, source)
    return Metrical(name, found, {**about, **more})
