"""Notions beyond one epsilon for all pairs: by what epsilon is multiplied, pair by pair.

xdp: by a distance of the two inputs; xdistp: by W-infinity of the two priors over a distance, or
by a table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from core.grammar import Malformed, Number, combine, shown
from core.rules import Names
from core.shapes import rational
from reader import distances
from reader.distances import Ground, Points
from reader.reader import Uniform, written
from reader.tables import noise_kind

if TYPE_CHECKING:
    from reader.protocols import Release, Source

METRICS = {"xdp": "distance", "xdistp": "winf"}  # the metric that a notion has by itself
OF_PLACES = {"euclidean": distances.euclidean, "manhattan": distances.manhattan}


class Metric(NamedTuple):
    """What epsilon is multiplied by: in a message, as it goes into a digest, and itself."""

    words: str
    written: dict[str, Any]
    between: Callable[[str, str, str], Number]  # of a belief and two secrets, in either order


class Metrical(Uniform):
    """A notion in which a metric multiplies epsilon."""

    def __init__(self, name: str, written: dict[str, Any], metric: Metric) -> None:
        super().__init__(name, {**written, **metric.written})
        self._metric, self._known = metric, dict[tuple[str, frozenset[str]], Number]()

    def words(self) -> str:
        """The notion and its metric, in a message."""
        return f"notion={self.name} metric={self._metric.words}"

    def epsilon(self, stated: Number, names: Names) -> Number:
        """The epsilon of a belief and two secrets."""
        key = names[0], frozenset(names[1:])
        if key not in self._known:
            self._known[key] = self._metric.between(*names)
        d = self._known[key]
        return combine("*", stated, d) if d not in (0, 1) else stated if d == 1 else Fraction(0)


def _of_table(stated: Any, source: Source) -> Metric:
    """A table of secrets."""
    secrets = {secret for laws in source.beliefs.values() for secret in laws}
    table = distances.table_of_pairs(stated, "metric", secrets)
    return Metric(
        "table",
        {"metric": distances.canonical_table(table)},
        lambda _, a, b: distances.looked_up(table, "the metric", a, b),
    )


def _on_the_line(source: Source) -> Metric:
    """W-infinity of two laws of numbers."""

    def between(belief: str, *secrets: str) -> Number:
        p, q = (source.beliefs[belief][secret] for secret in secrets)
        if type(p) is not dict or type(q) is not dict:
            raise Malformed("W-infinity needs discrete priors")
        return distances.on_numbers(p, q)

    return Metric("winf", {"metric": "winf"}, between)


def _of_inputs(stated: Any, release: Any, source: Source) -> Metric:
    """The distance of two inputs, or W-infinity of two laws of them over it."""
    name, ground, more = _ground(stated, [*release.channel.inputs], release.places)
    more |= {"metric": stated["metric"]} if "metric" in stated else {}
    if source.of == "inputs":
        return Metric(f"distance({name})", more, lambda _, a, b: ground.distance(a, b))

    def between(belief: str, *secrets: str) -> Number:
        laws = [source.beliefs[belief][secret] for secret in secrets]
        p, q = ({x: m for x, m in law.items() if m} for law in laws)
        if name != "numbers":
            return distances.w_infinity(p, q, ground)
        return distances.on_numbers(_by_number(p), _by_number(q))

    return Metric(f"winf({name})", more, between)


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
        points = distances.points_of(value["points"], "points")
        written["points"] = distances.canonical_points(points)
        if points.keys() != set(names):
            raise Malformed("points must name each input once")
    stated = value.get("distance", "numbers" if points is None else "euclidean")
    if type(stated) is str and stated in OF_PLACES:
        if points is None:
            raise Malformed(f"the {stated} distance needs points")
        name, ground = stated, OF_PLACES[stated](points)
    elif type(stated) is str and stated != "numbers":
        raise Malformed(f"the distance {shown(stated)} is not known to this kernel")
    elif points is not places:
        raise Malformed("a distance that is not that of places needs no points")
    elif stated == "numbers":
        numbers = {name: rational(name, f"the input {shown(name)}") for name in names}
        name, ground = stated, distances.of_numbers(numbers)
    else:
        table = distances.table_of_pairs(stated, "distance", set(names))
        name, ground = "table", distances.of_table(table, "distance")
        stated = distances.canonical_table(table)
    return name, ground, {**written, **({"distance": stated} if "distance" in value else {})}


def notion(stated: Any, name: str, release: Release, source: Source) -> Metrical:
    """The notion with a metric that a table states."""
    metric = stated.get("metric", METRICS[name])
    if metric != METRICS[name]:
        for key in {"distance", "points"} - release.own:
            if key in stated:
                raise Malformed(f"a table as metric has no {key}")
        found = _of_table(metric, source)
    elif noise_kind(release.kind).stated:  # X is a number, which a table `noise` releases
        found = _on_the_line(source)
    else:
        found = _of_inputs(stated, release, source)
    return Metrical(name, written(stated, name), found)
