"""The stationary law of a chain, exactly."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pfverify.errors import InputError, shorten

Rows = Sequence[Sequence[Fraction]]


def stationary_law(names: Sequence[str], rows: Rows) -> list[Fraction]:
    """Return the one law that a step of the chain leaves as it is; states in the order of `names`.

    Raises InputError where there are several, naming the classes that are never left.
    Example: ``stationary_law("ab", [[0, 1], [1, 0]])`` is ``[1/2, 1/2]``.
    """
    classes = closed_classes(rows)
    if len(classes) > 1:
        told = " and ".join(
            "{" + ", ".join(shorten(names[k], 20) for k in one) + "}" for one in classes[:3]
        )
        raise InputError(
            f"start: no unique stationary law, since the chain never leaves {told}; expected a "
            "table of masses"
        )
    places = classes[0]
    # x (P - 1) = 0 on the class, its first equation exchanged for sum x = 1
    count = len(places)
    table = [
        [rows[a][b] - (a == b) for a in places] + [Fraction(0)] for b in places[1:]
    ] + [[Fraction(1)] * (count + 1)]  # fmt: skip
    found = [Fraction(0)] * len(rows)
    for place, mass in zip(places, _solved(table), strict=True):
        found[place] = mass
    return found


def closed_classes(rows: Rows) -> list[list[int]]:
    """Return the classes of states that are never left, each sorted.

    Example: ``closed_classes([[1, 0], [0, 1]])`` is ``[[0], [1]]``.
    """
    reached = [_reached(rows, k) for k in range(len(rows))]
    found = {
        tuple(sorted(there)) for there in reached if all(there == reached[b] for b in there)
    }
    return [list(one) for one in sorted(found)]


def _reached(rows: Rows, start: int) -> set[int]:
    found, left = {start}, [start]
    while left:
        for b, mass in enumerate(rows[left.pop()]):
            if mass and b not in found:
                found.add(b)
                left.append(b)
    return found


def _solved(table: list[list[Fraction]]) -> list[Fraction]:
    """The solution of equations (coefficients, then the right side) that have exactly one."""
    count = len(table)
    for k in range(count):
        pivot = next(r for r in range(k, count) if table[r][k])
        table[k], table[pivot] = table[pivot], table[k]
        table[k] = [x / table[k][k] for x in table[k]]
        for r in range(count):
            if r != k and (factor := table[r][k]):
                table[r] = [x - factor * y for x, y in zip(table[r], table[k], strict=True)]
    return [row[-1] for row in table]
