"""Notions beyond one epsilon for all pairs: by what epsilon is multiplied, pair by pair.

xdp: by a distance of the two inputs; xdistp: by W-infinity of the two priors over a distance, or
by a table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

import distances
from distances import Ground, Points, canonical_points, canonical_table, points_of, table_of_pairs
from files import rational, string
from grammar import Malformed, Number, combine, shown
from rules import Names

METRICS = {"xdp": "distance", "xdistp": "winf"}  # of the notions that have one, the default
DISTANCES = ("numbers", "euclidean", "manhattan")

Priors = Mapping[str, Mapping[str, Mapping[str, Fraction]]]  # belief -> secret -> input -> mass


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


class Protection(NamedTuple):
    """A notion with its metric, and its keys as they go into a digest."""

    notion: str
    metric: Metric | None
    written: dict[str, Any]

    def words(self) -> str:
        """The notion, in a message."""
        return f"notion={self.notion}" + (f" metric={self.metric.words}" if self.metric else "")


def _of_table(table: Mapping[tuple[str, str], Number]) -> Metric:
    def between(names: Names) -> Number:
        return distances.looked_up(table, "the metric", *names[1:])

    return Metric("table", canonical_table(table), between)


def of_noise(value: Any, beliefs: Mapping[str, Mapping[str, Any]]) -> Protection | None:
    """What a problem with noise states beside it: None where it is one epsilon for all."""
    notion = string(value.get("notion", "distp"), "notion")
    if notion not in ("distp", "xdistp"):
        raise Malformed(f"the notion {shown(notion)} is not one for noise")
    if notion == "distp":
        if "metric" in value:
            raise Malformed("a metric is for the notion xdistp")
        return None
    if value.get("metric", "winf") != "winf":
        secrets = {secret for priors in beliefs.values() for secret in priors}
        metric = _of_table(table_of_pairs(value["metric"], "metric", secrets))
    else:

        def between(names: Names) -> Number:
            belief, *secrets = names
            p, q = (beliefs[belief][secret] for secret in secrets)
            if type(p) is not dict or type(q) is not dict:
                raise Malformed("W-infinity needs discrete priors")
            return distances.on_numbers(p, q)

        metric = Metric("winf", "winf", between)
    return Protection(notion, metric, {"notion": notion, "metric": metric.written})


def of_channel(
    value: Any, notion: str, inputs: Iterable[str], priors: Priors | None, places: Points | None
) -> Protection:
    """What a table `channel` states; `places` are those of a planar channel's inputs."""
    names = list(inputs)
    written: dict[str, Any] = {"notion": notion}
    if notion not in METRICS:
        for key in ("metric", "distance", *(() if places else ("points",))):
            if key in value:
                raise Malformed(f"the notion {notion} has no {key}")
        return Protection(notion, None, written)
    stated = value.get("metric", METRICS[notion])
    if stated != METRICS[notion]:
        known = set(names) if priors is None else {s for p in priors.values() for s in p}
        metric = _of_table(table_of_pairs(stated, "metric", known))
        for key in ("distance", *(() if places else ("points",))):
            if key in value:
                raise Malformed(f"a table as metric has no {key}")
        return Protection(notion, metric, {**written, "metric": metric.written})
    name, ground, more = _ground(value, names, places)
    if priors is None:
        metric = Metric(f"distance({name})", stated, lambda n: ground.distance(n[1], n[2]))
    else:
        laws = priors

        def between(n: Names) -> Number:
            p, q = ({x: m for x, m in laws[n[0]][s].items() if m} for s in n[1:])
            if name != "numbers":
                return distances.w_infinity(p, q, ground)
            return distances.on_numbers(*(_by_number(law) for law in (p, q)))

        metric = Metric(f"winf({name})", stated, between)
    if "metric" in value:
        more["metric"] = stated
    return Protection(notion, metric, {**written, **more})


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
