"""The north-west corner rule: rows and columns are filled in their order."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeVar

Amount = TypeVar("Amount", int, Fraction)


def corner(supply: Sequence[Amount], demand: Sequence[Amount]) -> list[tuple[int, int, Amount]]:
    """Return the edges (row, column, amount > 0) of the plan that fills both sides in order.

    Amounts are >= 0 and both sides have the same sum. Where rows and columns are sorted along a
    line it is the monotone plan.
    Raises IndexError when the rows have more than the columns take.
    Example: ``corner([1, 2], [2, 1])`` is ``[(0, 0, 1), (1, 0, 1), (1, 1, 1)]``.
    Source: design fact F10.
    """
    edges: list[tuple[int, int, Amount]] = []
    j, room = 0, demand[0]
    for i, left in enumerate(supply):
        while left:
            while not room:
                j += 1
                room = demand[j]
            amount = min(left, room)
            edges.append((i, j, amount))
            left, room = left - amount, room - amount
    return edges
