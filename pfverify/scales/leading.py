"""Which of many pairs may ask for the largest scale, found without looking closely at all."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from heapq import heappop, heappush
from math import inf

_CLOSE = 1 - Fraction(1, 10**9)  # what floats that propose may be off, with plenty to spare

Stage = Callable[[int], Fraction | None]


def leading(size: int, *stages: Stage) -> dict[int, Fraction]:
    """Return number -> value of the questions, of 0 ... size - 1, whose value may be the largest.

    Each stage gives a question a scale that is at least that of the next one, for more work (None:
    none is known); the last one gives the value itself (None: there is none). The question with the
    largest scale so far is looked at first, and none whose scale is below the largest value.
    Values as large as that one but for the errors of floats are all there, in the order of the
    questions.

    Example: ``leading(3, lambda k: Fraction(9 - k), lambda k: Fraction(8))`` is ``{0: 8, 1: 8}``.
    """
    found: dict[int, Fraction] = {}
    last = len(stages) - 1
    first = last if size == 1 else 0  # one alone is the largest, whatever bounds it
    queue: list[tuple[Fraction | float, int, int]] = []
    for number in range(size):
        heappush(queue, (-inf, number, first))
    top = Fraction(0)
    while queue and -queue[0][0] >= top * _CLOSE:
        most, number, stage = heappop(queue)
        value = stages[stage](number)
        if stage < last:
            heappush(queue, (most if value is None else -value, number, stage + 1))
        elif value is not None:
            found[number] = value
            top = max(top, value)
    return dict(sorted(found.items()))
