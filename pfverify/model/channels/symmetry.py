"""Symmetries of places, and the pairs of them up to these.

A symmetry exchanges coordinates, turns some round and moves all by as much; it keeps the distances
of places, Euclidean and Manhattan. Source: design fact F84.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations, product

MOST_AXES = 3
"""Most coordinates whose symmetries are looked for: there are 2**n n! candidates."""
Whole = tuple[int, ...]


def symmetries(places: Sequence[Whole], others: Sequence[Whole]) -> list[list[int]]:
    """Return where each symmetry takes each place: those that leave both lists as they are.

    The one that leaves every place where it is is no symmetry here, and where a place
    occurs twice there are none. Example: ``symmetries([(0,), (2,)], [(1,)])`` is ``[[1, 0]]``.
    """
    at = {place: k for k, place in enumerate(places)}
    targets = set(others)
    axes = len(places[0])
    if len(at) < len(places) or len(targets) < len(others) or axes > MOST_AXES:
        return []
    found = []
    for order in permutations(range(axes)):
        for turned in product((1, -1), repeat=axes):
            ways = [*zip(turned, order, strict=True)]
            images = [_turned(place, ways) for place in places]
            by = [
                min(place[axis] for place in places) - min(image[axis] for image in images)
                for axis in range(axes)
            ]
            ends = [at.get(_moved(image, by)) for image in images]
            onto = [k for k in ends if k is not None]
            if len(onto) < len(places) or onto == [*range(len(places))]:
                continue
            if all(_moved(_turned(target, ways), by) in targets for target in targets):
                found.append(onto)
    return found


def _turned(place: Whole, ways: Sequence[tuple[int, int]]) -> Whole:
    return tuple(sign * place[axis] for sign, axis in ways)


def _moved(place: Whole, by: Sequence[int]) -> Whole:
    return tuple(part + step for part, step in zip(place, by, strict=True))


def pairs_up_to(maps: Sequence[Sequence[int]], count: int) -> list[tuple[int, int]]:
    """Return the first pair of each orbit of the pairs i < j below `count` under a group of maps.

    `maps` are all of the group but the identity.
    Example: ``pairs_up_to([[2, 1, 0]], 3)`` is ``[(0, 1), (0, 2)]``.
    """
    seen, found = bytearray(count * count), []
    for i in range(count):
        for j in range(i + 1, count):
            if seen[i * count + j]:
                continue
            found.append((i, j))
            for images in maps:
                a, b = images[i], images[j]
                seen[a * count + b if a < b else b * count + a] = 1
    return found
