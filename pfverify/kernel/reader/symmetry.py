"""Symmetries of places: coordinates exchanged and turned round, and all moved by as much.

They keep distances, Euclidean and Manhattan, so that those which leave the places of inputs and of
outputs as they are take pairs of inputs to pairs that are alike (F84).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations, product

from core.shapes import common_denominator
from core.work import spend
from reader.distances import Point, Points

MAX_AXES = 3
Whole = tuple[int, ...]


def pairs_up_to_symmetry(points: Points, grid: Points) -> list[list[str]] | None:
    """The first pair of each orbit of the pairs of points; None without a symmetry."""
    axes = len(next(iter(points.values())))
    every = [*points.values(), *grid.values()]
    unit = common_denominator([x for place in every for x in place], "points")
    places, targets = ([_whole(p, unit) for p in table.values()] for table in (points, grid))
    once = len({*places}) == len(places) and len({*targets}) == len(targets)
    if not once or axes > MAX_AXES:
        return None
    every_way = product(permutations(range(axes)), product((1, -1), repeat=axes))
    ways = [_map(places, {*targets}, order, turned) for order, turned in every_way]
    maps = [way for way in ways if way is not None]
    if not maps:
        return None
    names, count = [*points], len(places)
    spend(count * count + len(maps) * count * count)
    seen, found = bytearray(count * count), list[list[str]]()
    for i in range(count):
        for j in range(i + 1, count):
            if not seen[i * count + j]:
                found.append([names[i], names[j]])
                for images in maps:
                    a, b = sorted((images[i], images[j]))
                    seen[a * count + b] = 1
    return found


def _whole(place: Point, unit: int) -> Whole:
    return tuple(int(x * unit) for x in place)


def _map(
    places: Sequence[Whole], targets: set[Whole], order: Sequence[int], turned: Sequence[int]
) -> list[int] | None:
    """Where the symmetry takes each place; None for the one that moves none, and for what leaves
    places or targets not as they are."""
    spend(64 * (len(places) + len(targets)))

    def image(place: Whole) -> Whole:
        return tuple(sign * place[axis] for sign, axis in zip(turned, order, strict=True))

    images, axes = [image(place) for place in places], range(len(order))
    by = [min(p[k] for p in places) - min(p[k] for p in images) for k in axes]

    def moved(place: Whole) -> Whole:
        return tuple(x + step for x, step in zip(place, by, strict=True))

    at = {place: k for k, place in enumerate(places)}
    onto = [at.get(moved(place)) for place in images]
    if {moved(image(target)) for target in targets} != targets:
        return None
    known = [k for k in onto if k is not None]
    return known if len(known) == len(places) and known != [*range(len(places))] else None
