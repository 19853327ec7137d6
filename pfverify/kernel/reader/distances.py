"""Distances between named inputs, W-infinity between priors of them, and tables of distances.

A ground distance is a key, a fraction by which distances compare, and the number that belongs to
it, which is the key itself but for places: |x - y|^2 and its root.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

from core.defined import number_of
from core.grammar import Malformed, Number, bounded, canonical, combine, shown
from core.shapes import array, common_denominator, rational, string
from core.work import price, spend

Point = tuple[Fraction, ...]
Points = dict[str, Point]
Pair = tuple[str, str]
Value = TypeVar("Value")
NOTHING = Fraction(0)


class Ground(NamedTuple):
    """A distance of inputs: the key of two of them, and the number of a key."""

    key: Callable[[str, str], Fraction]
    number: Callable[[Fraction], Number] = lambda key: key

    def distance(self, a: str, b: str) -> Number:
        """The distance of two inputs."""
        return self.number(self.key(a, b)) if a != b else NOTHING


# ---------------------------------------------------------------- places


def points_of(value: Any, what: str) -> Points:
    """Places, all of one dimension."""
    if type(value) is not dict or not value:
        raise Malformed(f"{what} must be a table of places")
    found = {
        name: tuple(rational(x, f"{what}, {shown(name)}") for x in array(place, what))
        for name, place in value.items()
    }
    if len({len(place) for place in found.values()}) != 1 or () in found.values():
        raise Malformed(f"{what} must have one dimension, at least 1")
    return found


def canonical_points(points: Points) -> dict[str, list[str]]:
    """Places as they go into a digest."""
    return {name: [canonical(x) for x in place] for name, place in points.items()}


def square(p: Point, q: Point) -> Fraction:
    """The square of the Euclidean distance."""
    return bounded(sum(((x - y) ** 2 for x, y in zip(p, q, strict=True)), NOTHING))


def root(x: Fraction) -> Number:
    """The root of x >= 0, where all of its digits are few enough."""
    spend(64 + price(x.numerator.bit_length() + x.denominator.bit_length()))
    found = combine("sqrt", x)
    if not isinstance(found, Fraction):
        bounded(Fraction(x.numerator * x.denominator))
    return found


# ---------------------------------------------------------------- ground distances and tables


def table_of_pairs(value: Any, what: str, names: set[str]) -> dict[Pair, Number]:
    """A symmetric table [[a, b, d >= 0], ...], each pair of different names at most once."""
    found: dict[Pair, Number] = {}
    for entry in array(value, what):
        if type(entry) is not list or len(entry) != 3:
            raise Malformed(f"{what}: an entry must be [a, b, distance]")
        a, b = (string(name, what) for name in entry[:2])
        if a not in names or b not in names or a == b:
            raise Malformed(f"{what}: {shown(a)}, {shown(b)} are not two different known names")
        if (a, b) in found or (b, a) in found:
            raise Malformed(f"{what}: the pair {shown(a)}, {shown(b)} occurs twice")
        found[a, b] = number_of(entry[2], f"{what}, {shown(a)}, {shown(b)}", least=NOTHING)
    if not found:
        raise Malformed(f"{what} has no entry")
    return found


def canonical_table(table: Mapping[Pair, Number]) -> list[list[str]]:
    """A table as it goes into a digest."""
    return [[a, b, canonical(d)] for (a, b), d in table.items()]


def looked_up(table: Mapping[Pair, Value], what: str, a: str, b: str) -> Value:
    """The entry of a pair in either order."""
    found = table.get((a, b), table.get((b, a)))
    if found is None:
        raise Malformed(f"{what} lacks the pair {shown(a)}, {shown(b)}")
    return found


def of_table(table: Mapping[Pair, Number], what: str) -> Ground:
    """The distance that a table of fractions states."""

    known = {pair: d for pair, d in table.items() if isinstance(d, Fraction)}
    if len(known) < len(table):
        raise Malformed(f"{what}: a distance must be rational")
    return Ground(lambda a, b: looked_up(known, what, a, b))


def of_numbers(names: Mapping[str, Fraction]) -> Ground:
    """|x - y| of inputs that are numbers."""
    return Ground(lambda a, b: abs(names[a] - names[b]))


def euclidean(points: Points) -> Ground:
    """The Euclidean distance of places."""
    return Ground(lambda a, b: square(points[a], points[b]), root)


def manhattan(points: Points) -> Ground:
    """The sum of the distances of the coordinates."""

    def key(a: str, b: str) -> Fraction:
        steps = (abs(x - y) for x, y in zip(points[a], points[b], strict=True))
        return bounded(sum(steps, NOTHING))

    return Ground(key)


# ---------------------------------------------------------------- W-infinity

Law = Mapping[str, Fraction]  # positive masses that sum to 1


def on_numbers(p: Mapping[Fraction, Fraction], q: Mapping[Fraction, Fraction]) -> Fraction:
    """W-infinity of two laws of numbers: the longest way of the monotone coupling, which moves the
    quantiles of the one to those of the other."""
    rows, columns = sorted(p.items()), sorted(q.items())
    worst, i, j = NOTHING, 0, 0
    left, right = rows[0][1], columns[0][1]
    while True:
        spend(32 + price(left.denominator.bit_length() + right.denominator.bit_length()))
        worst = max(worst, abs(rows[i][0] - columns[j][0]))
        moved = min(left, right)
        left, right = left - moved, right - moved
        if not left:
            i += 1
        if not right:
            j += 1
        if i == len(rows) or j == len(columns):
            return worst
        left, right = left or rows[i][1], right or columns[j][1]


def w_infinity(p: Law, q: Law, ground: Ground) -> Number:
    """The least t such that some coupling moves no mass further than t: by bisection over the
    distances, each time with a full flow over the ways that are no longer."""
    if p == q:
        return NOTHING
    spend(64 * len(p) * len(q))
    keys = {(a, b): ground.key(a, b) for a in p for b in q if a != b}
    levels = sorted(set(keys.values()))
    if not levels:
        return NOTHING
    low, high = -1, len(levels) - 1  # -1: nothing moves, which is not enough; all ways: enough
    while high - low > 1:
        middle = (low + high) // 2
        ways = {a: [b for b in q if a == b or keys[a, b] <= levels[middle]] for a in p}
        low, high = (low, middle) if has_full_flow(p, q, ways) else (middle, high)
    return ground.number(levels[high])


Node = tuple[str, str]
BEGIN, END = ("begin", ""), ("end", "")


def has_full_flow(p: Law, q: Law, ways: Mapping[str, list[str]]) -> bool:
    """Whether a coupling uses these ways only: a flow in integers, augmented along shortest paths
    until none is left."""
    whole = common_denominator([*p.values(), *q.values()], "masses")
    room: dict[Node, dict[Node, int]] = {BEGIN: {}, **{("to", b): {} for b in q}}  # what may go yet
    for a, m in p.items():
        room[BEGIN]["from", a] = m.numerator * (whole // m.denominator)
        room["from", a] = {("to", b): whole for b in ways[a]}
    for b, m in q.items():
        room["to", b][END] = m.numerator * (whole // m.denominator)
    while path := _path(room):
        amount = min(room[x][y] for x, y in path)
        for x, y in path:
            room[x][y] -= amount
            back = room.setdefault(y, {})
            back[x] = back.get(x, 0) + amount
    return not any(room[BEGIN].values())


def _path(room: Mapping[Node, Mapping[Node, int]]) -> list[tuple[Node, Node]]:
    """The ways of a shortest path through which more may go; [] where there is none."""
    came, nodes = {BEGIN: BEGIN}, [BEGIN]
    for x in nodes:  # grows
        spend(8 + 8 * len(room[x]))
        for y, amount in room[x].items():
            if amount and y not in came:
                came[y] = x
                nodes.append(y)
                if room[y].get(END):
                    path = [END, y]
                    while path[-1] != BEGIN:
                        path.append(came[path[-1]])
                    return [*pairwise(path[::-1])]
    return []
