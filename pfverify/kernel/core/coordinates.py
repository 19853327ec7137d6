"""Laws of several numbers at once: points of finitely many coordinates, each with its mass."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, NamedTuple

from core.grammar import bounded, canonical
from core.kinds import LAWS, Prior
from core.rules import Rejected
from core.shapes import array, string
from core.work import product, spend, table_of

Point = tuple[Fraction, ...]
Rows = tuple[tuple[Point, Fraction], ...]


class Joint(NamedTuple):
    """A law of points with these coordinates: the points in order, each with its mass > 0."""

    names: tuple[str, ...]
    rows: Rows

    def canonical(self) -> list[list[str]]:
        """It as it goes into a digest: the names, then coordinates and mass of every point."""
        return [[*self.names], *([*map(canonical, x), canonical(m)] for x, m in self.rows)]


LAWS[Joint] = "joint"


def in_order(rows: list[tuple[Point, Fraction]]) -> list[tuple[Point, Fraction]]:
    """Points by their coordinates."""
    ranks = []
    for column in zip(*(x for x, _ in rows), strict=True):
        table_of(column)
        values = set(column)
        sizes = (x.numerator.bit_length() + x.denominator.bit_length() for x in values)
        spend(sum(4 * len(values).bit_length() * (1 + product(size)) for size in sizes))
        rank = {x: k for k, x in enumerate(sorted(values))}
        ranks.append([rank[x] for x in column])
    keys = [*zip(*ranks, strict=True)]
    spend(len(rows) * len(rows).bit_length())
    return [rows[k] for k in sorted(range(len(rows)), key=keys.__getitem__)]


def marginal(law: Joint, place: int) -> Prior:
    """That of one coordinate."""
    spend(32 * len(law.rows))
    found: Prior = {}
    for x, mass in law.rows:
        found[x[place]] = bounded(found.get(x[place], Fraction(0)) + mass)
    return dict(sorted(found.items()))


def place_of(value: Any, law: Joint) -> int:
    """Where the one coordinate stands that a part names."""
    names = [string(name, "a coordinate") for name in array(value, "a part")]
    if len(names) != 1 or names[0] not in law.names:
        raise Rejected("a part must name one coordinate")
    return law.names.index(names[0])


def texts(point: Iterable[Fraction]) -> str:
    """A point in a message."""
    return f"({', '.join(map(canonical, point))})"
