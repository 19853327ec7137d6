"""Relations between points, read from pairs."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TypeAlias

from pfverify.errors import InputError, listed, shorten
from pfverify.transport.law import Point, point, show

Relation: TypeAlias = Iterable[tuple[object, object]]


def related_pairs(relation: Relation, known: Collection[Point]) -> frozenset[tuple[Point, Point]]:
    """Return the pairs of a relation; InputError names a pair with an unknown point.

    Example: ``related_pairs([("a", "b")], {"a", "b"})`` is ``frozenset({("a", "b")})``.
    Source: distribution-privacy paper, Definition 7.
    """
    found = []
    for pair in listed(relation, "relation", "a list of pairs of points"):
        if not (isinstance(pair, tuple) and len(pair) == 2):
            raise InputError(f"relation: {shorten(pair)}, expected a pair of points")
        x, y = (point(where, "relation: point") for where in pair)
        for where in (x, y):
            if where not in known:
                raise InputError(
                    f"relation: pair ({show(x)}, {show(y)}) names the unknown point {show(where)}"
                )
        found.append((x, y))
    return frozenset(found)
