"""Random numbers that are the same on every machine, and easy to read where that does no harm."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from random import Random
from typing import TypeVar

from pfverify.crosscheck.case import Floats

T = TypeVar("T")


class DrawStream:
    """A stream of draws that one text determines: no result of a mathematical library enters.

    Example: ``DrawStream("a").whole(1, 6) == DrawStream("a").whole(1, 6)`` is True.
    """

    def __init__(self, text: str) -> None:
        self._random = Random(text)

    def share(self) -> float:
        """Return a number in [0, 1)."""
        return self._random.random()

    def chance(self, probability: float) -> bool:
        """Return True with a probability."""
        return self._random.random() < probability

    def whole(self, low: int, high: int) -> int:
        """Return a whole number from `low` to `high`, both possible."""
        return low + int(self._random.random() * (high - low + 1))

    def pick(self, options: Sequence[T]) -> T:
        """Return one of some things."""
        return options[self.whole(0, len(options) - 1)]

    def size(self, low: int, high: int, digits: int = 3) -> float:
        """Return a number > 0 of a few digits between two powers of ten.

        Example: ``0.01 <= DrawStream("a").size(-2, 1) <= 10`` is True.
        """
        power = self.whole(low, high - 1)
        return float(f"{1 + 9 * self.share():.{digits - 1}f}e{power}")

    def masses(self, count: int, zeros: float = 0.0) -> Floats:
        """Return masses whose sum is about 1; each but one is 0 with the probability `zeros`."""
        kept = self.whole(0, count - 1)
        power = self.pick((1, 1, 2, 6))  # alike, or a few that outweigh the rest
        raw = [
            0.0 if k != kept and self.chance(zeros) else (1e-3 + self.share()) ** power
            for k in range(count)
        ]
        return normalised(raw)

    def places(self, count: int, *, lattice: bool, near: bool = False) -> Floats:
        """Return ascending distinct places, whole numbers on a lattice.

        `near`: they are neighbours, or close to it.
        """
        gaps = [1 if near else self.whole(1, 4) for _ in range(count)]
        steps = [self.whole(-9, 9)]
        for gap in gaps[1:]:
            steps.append(steps[-1] + gap)
        if lattice:
            return tuple(float(step) for step in steps)
        match self.whole(0, 3):
            case 0:
                return tuple(float(step) for step in steps)
            case 1:
                return tuple(step / 10 for step in steps)
            case 2:
                unit = self.size(-1, 1)
                return tuple(step * unit for step in steps)
            case _:
                return tuple(step + 0.9 * self.share() for step in steps)


def normalised(weights: Sequence[float]) -> Floats:
    """Return weights divided by their sum, as floats.

    Example: ``normalised([1.0, 3.0])`` is ``(0.25, 0.75)``.
    """
    total = fsum(weights)
    return tuple(weight / total for weight in weights)
